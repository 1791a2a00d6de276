/** The positions of all accounts. A row is found once an order, by the account and its contract; its number then stands for it. */
import { assert, NO_ATOMS, type AccountId } from '@orrery/units';
import { POSITION_SIDES, type Event, type PositionChanged, type PositionMode, type PositionSide, type MarginGroup } from '@orrery/protocol';
import { setAt } from '../accounts/column.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunningHash } from '../ledger/running-hash.ts';
import type { ContractState } from './contract-state.ts';
import { newRow, type Exposure, type Holder, type PositionRow } from './position-row.ts';

export class Positions {
  readonly #ledger: Ledger;
  /** By account. */
  readonly #holders: (Holder | undefined)[] = [];
  readonly #rows: PositionRow[] = [];
  readonly #byContract = new Map<ContractState, PositionRow[]>();
  #touched: PositionRow[] = [];
  /** Exposures whose orders have to be looked at again within this command. */
  #rechecks: Exposure[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** What an account has set, with the defaults when it has set nothing. */
  holder(account: AccountId): Holder {
    const before = this.#holders[account];
    if (before !== undefined) return before;
    const made: Holder = { account, linear: 'oneWay', inverse: 'oneWay', practice: 'oneWay', feeTier: 0, rebateTier: 0, exposures: [] };
    setAt(this.#holders, account, made);
    return made;
  }

  /** Of an account that has ever touched a contract. */
  known(account: AccountId): Holder | undefined {
    return this.#holders[account];
  }

  exposure(account: AccountId, contract: ContractState): Exposure {
    const holder = this.holder(account);
    const { exposures } = holder;
    let index = 0;
    for (; index < exposures.length; index += 1) {
      const exposure = exposures[index];
      if (exposure?.contract === contract) return exposure;
      if (exposure !== undefined && exposure.contract.terms.market > contract.terms.market) break;
    }
    const balance = this.#ledger.of(account, walletOf(contract.group), contract.terms.settle);
    const made: Exposure = {
      holder,
      contract,
      balance,
      mode: 'cross',
      rows: [undefined, undefined, undefined],
      reserved: NO_ATOMS,
      mustRecheck: false,
    };
    exposures.splice(index, 0, made);
    return made;
  }

  /** The position of an account on a side of a contract, made empty when it has none yet. */
  row(account: AccountId, contract: ContractState, side: PositionSide): PositionRow {
    return this.rowOf(this.exposure(account, contract), side);
  }

  rowOf(exposure: Exposure, side: PositionSide): PositionRow {
    const place = side === 'both' ? 0 : POSITION_SIDES.indexOf(side);
    const before = exposure.rows[place];
    if (before !== undefined) return before;
    const made = newRow(exposure, side, this.#rows.length);
    exposure.rows[place] = made;
    this.#rows.push(made);
    const { contract } = exposure;
    const rows = this.#byContract.get(contract);
    if (rows === undefined) this.#byContract.set(contract, [made]);
    else rows.push(made);
    return made;
  }

  /** Those of one contract, open or not, in no order that means anything. */
  rowsOf(contract: ContractState): readonly PositionRow[] {
    return this.#byContract.get(contract) ?? [];
  }

  at(payer: number): PositionRow {
    const row = this.#rows[payer];
    assert(row !== undefined, 'an order of a contract pays from a position');
    return row;
  }

  /** By account, contract and side. */
  *[Symbol.iterator](): Generator<PositionRow> {
    for (const holder of this.holders())
      for (const exposure of holder.exposures) for (const row of exposure.rows) if (row !== undefined) yield row;
  }

  /** By account. */
  *holders(): Generator<Holder> {
    for (const holder of this.#holders) if (holder !== undefined) yield holder;
  }

  /** Before a position changes: what it is afterwards is emitted when the command ends. */
  touch(row: PositionRow): void {
    if (row.isTouched) return;
    row.isTouched = true;
    this.#touched.push(row);
  }

  get hasTouched(): boolean {
    return this.#touched.length > 0;
  }

  /** Those that the command has changed until now. */
  touched(): readonly PositionRow[] {
    return this.#touched;
  }

  /** Its orders may be more than its position or its money allows. */
  recheck(exposure: Exposure): void {
    if (exposure.mustRecheck) return;
    exposure.mustRecheck = true;
    this.#rechecks.push(exposure);
  }

  get hasRechecks(): boolean {
    return this.#rechecks.length > 0;
  }

  /** The next exposure whose orders have to be looked at again; undefined when there is none. */
  takeRecheck(): Exposure | undefined {
    const exposure = this.#rechecks.shift();
    if (exposure !== undefined) exposure.mustRecheck = false;
    return exposure;
  }

  /** Ends a command: emits the positions that it changed, by account, contract and side, and mixes them into the running hash. */
  closeCommand(events: Event[], hash: RunningHash): void {
    if (this.#touched.length === 0) return;
    const touched = this.#touched;
    this.#touched = [];
    if (touched.length > 1) touched.sort(compareRows);
    for (const row of touched) {
      row.isTouched = false;
      hash.mix(row.exposure.holder.account);
      hash.mix(row.exposure.contract.terms.market);
      hash.mix(row.size);
      hash.mixBigint(row.cost);
      hash.mixBigint(row.margin);
      hash.mixBigint(row.realised + row.fees + row.funding);
      events.push(changeOf(row));
    }
  }
}

/** `positionOf`, made in one piece, because every trade has two. */
function changeOf(row: PositionRow): PositionChanged {
  const { exposure, positionSide, size, cost, margin, realised, fees, funding, openedAt, maxSize } = row;
  return {
    type: 'PositionChanged',
    account: exposure.holder.account,
    market: exposure.contract.terms.market,
    positionSide,
    size,
    cost,
    margin,
    realised,
    fees,
    funding,
    openedAt,
    maxSize,
  };
}

const compareRows = (left: PositionRow, right: PositionRow): number =>
  left.exposure.holder.account - right.exposure.holder.account ||
  left.exposure.contract.terms.market - right.exposure.contract.terms.market ||
  POSITION_SIDES.indexOf(left.positionSide) - POSITION_SIDES.indexOf(right.positionSide);

/** Where the money of contracts of a margin group lies: practice contracts have an asset of their own in the wallet of linear ones. */
export const walletOf = (group: MarginGroup): 'futures' | 'coinFutures' => (group === 'inverse' ? 'coinFutures' : 'futures');

export const positionModeOf = (holder: Holder | undefined, group: MarginGroup): PositionMode => holder?.[group] ?? 'oneWay';

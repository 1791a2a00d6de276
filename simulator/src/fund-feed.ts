/**
 * Stands for a quanto fund and the people around it: a manager that trades a contract and says that it is there, and savers that subscribe and redeem, some twice by the
 * same key. What becomes of it the witness recomputes.
 */
import { assetByCode } from '@orrery/exchange/listing';
import { NOT_ATTACHED, type Command, type Contract, type PlaceContractOrder } from '@orrery/protocol';
import { assetId, atoms, lots, NO_ATOMS, NO_TICKS, ppm, ticks, type AccountId } from '@orrery/units';
import type { Chance } from './chance.ts';
import { SECOND } from './plan.ts';
import type { Newcomer, Registrar } from './registrar.ts';
import type { Timeline } from './timeline.ts';

const SHARES = assetId(200);
/** Indexes of people, behind those of all others. */
const FIRST_INDEX = 900_000;
const SAVERS = 3;
const ACT_MS = 15 * SECOND;
const UNIT = 1_000_000n;

export interface FundFeedParts {
  readonly chance: Chance;
  readonly timeline: Timeline;
  readonly registrar: Registrar;
  readonly contract: Contract;
  /** Of the contract outside, in ticks. */
  readonly price: () => number;
}

export class FundFeed {
  readonly #parts: FundFeedParts;
  #isOver = false;
  #keys = 0;

  constructor(parts: FundFeedParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { registrar } = this.#parts;
    const manager = await registrar.admit(FIRST_INDEX);
    const people: Newcomer[] = [];
    for (let index = 1; index <= SAVERS + 1; index += 1) people.push(await this.#saver(FIRST_INDEX + index));
    const [leader] = people;
    const asset = assetByCode('USDC').asset;
    await registrar.submit({ type: 'RegisterAsset', asset: SHARES, code: 'SIMFUND', decimals: 6, kind: 'internal' });
    await registrar.submit({
      type: 'OpenFund',
      fund: SHARES,
      account: manager.account,
      leader: leader?.account ?? manager.account,
      asset,
      amount: atoms(20_000n * UNIT),
      capacity: atoms(1_000_000n * UNIT),
    });
    const move = { type: 'Transfer', account: manager.account, transferId: 'stake', asset, from: 'funding', to: 'futures' } as const;
    await registrar.submit({ ...move, amount: atoms(10_000n * UNIT) });
    this.#act(
      manager.account,
      people.map(({ account }) => account),
    );
  }

  end(): void {
    this.#isOver = true;
  }

  async #saver(index: number): Promise<Newcomer> {
    const { registrar } = this.#parts;
    const newcomer = await registrar.admit(index);
    await registrar.fund(newcomer, { coin: 'USDC', amount: '100000' });
    await registrar.stake(newcomer, [{ coin: 'USDC', amount: '100000', to: 'funding' }]);
    return newcomer;
  }

  #act(manager: AccountId, savers: readonly AccountId[]): void {
    if (this.#isOver) return;
    const { chance, registrar, timeline } = this.#parts;
    void registrar.offer({ type: 'SendFundHeartbeat', account: manager });
    if (chance.oneIn(3)) void registrar.offer(this.#order(manager));
    const account = savers[chance.below(savers.length)] ?? manager;
    const command: Command = chance.oneIn(3)
      ? { type: 'RedeemFromFund', fund: SHARES, account, redemptionId: this.#key(), shares: this.#amount() }
      : { type: 'SubscribeToFund', fund: SHARES, account, subscriptionId: this.#key(), amount: this.#amount() };
    void registrar.submit(command).then(() => (chance.oneIn(4) ? registrar.submit(command) : undefined));
    timeline.after(ACT_MS, () => this.#act(manager, savers));
  }

  #key(): string {
    this.#keys += 1;
    return `fund-${this.#keys}`;
  }

  #amount(): typeof NO_ATOMS {
    const { chance } = this.#parts;
    return atoms(BigInt(chance.between(5, 2_000)) * UNIT + BigInt(chance.between(0, 999_999)));
  }

  /** A little on either side of the outside price. */
  #order(account: AccountId): PlaceContractOrder {
    const { chance, contract } = this.#parts;
    const side = chance.pick(['buy', 'sell'] as const);
    const price = Math.round(this.#parts.price() * (side === 'buy' ? 1.001 : 0.999));
    const size = Math.max(contract.minSize, Math.floor(Number((200n * UNIT) / contract.tickLotAtoms) / price));
    return {
      type: 'PlaceContractOrder',
      account,
      market: contract.market,
      clientOrderId: '',
      side,
      orderType: 'limit',
      timeInForce: 'IOC',
      price: ticks(price),
      size: lots(size),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
      contract: { positionSide: 'both', reduceOnly: false, closePosition: false, triggerBy: 'last', trailingPpm: ppm(0), source: 'plain' },
      takeProfit: NOT_ATTACHED,
      stopLoss: NOT_ATTACHED,
    };
  }
}

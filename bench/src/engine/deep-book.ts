/** A contract with many small resting orders on one side, 200 of each account, and what one order through all of them takes, command by command. */
import { createEngine, type Engine } from '@orrery/engine';
import type { Command, PlaceContractOrder, Side } from '@orrery/protocol';
import {
  accountId,
  assert,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  parseAddress,
  ppm,
  seq,
  ticks,
} from '@orrery/units';
import { LATEST_RULES } from '@orrery/rules';
import type { AccountId, Atoms } from '@orrery/units';
import { inContract } from './busy-flow.ts';
import { listingOfContract, marginOf, opening } from './opening.ts';

/** plain: they open, and trade at the mark or better. reduceOnly: they close. aboveMark: the mark has fallen below them, so that each is looked at by its loss too. */
export const MAKERS = ['plain', 'reduceOnly', 'aboveMark'] as const;
export type Makers = (typeof MAKERS)[number];

const CONTRACT = marketId(2);
const USDC = assetId(1);
const MARK = 1_000_000;
const FALLEN = 985_000;
const ORDERS_PER_ACCOUNT = 200;
const HOUSE_MARGIN = atoms(10n ** 17n);

export class DeepBook {
  readonly #engine: Engine = createEngine();
  readonly #house: AccountId;
  readonly #kind: Makers;
  readonly #count: number;
  #seq = 0;
  #at = 1_789_999_200_000;

  constructor(kind: Makers, count: number) {
    this.#kind = kind;
    this.#count = count;
    for (const command of opening({ accounts: 0, markets: 1 })) this.#give(command);
    for (const command of listingOfContract(CONTRACT)) this.#give(command);
    this.#give({ type: 'UpgradeRules', version: LATEST_RULES });
    this.#house = this.#open(1, HOUSE_MARGIN);
    for (let round = 0; round < 4; round += 1) this.#price(MARK);
    for (let index = 0; index < count / ORDERS_PER_ACCOUNT; index += 1) this.#enter(this.#open(2 + index, atoms(10n ** 12n)));
    if (kind === 'aboveMark') for (let round = 0; round < 2; round += 1) this.#price(FALLEN);
  }

  /** Milliseconds of each command. */
  takeAll(): readonly number[] {
    const isSold = this.#kind === 'aboveMark';
    const first = this.#order(this.#house, isSold ? 'sell' : 'buy', { price: isSold ? 980_000 : 1_010_000, size: this.#count });
    const times = [this.#give(first)];
    for (let next = this.#engine.continuation(); next !== undefined; next = this.#engine.continuation()) times.push(this.#give(next));
    return times;
  }

  cancelAllOfOne(): number {
    return this.#give({ type: 'CancelAllOrders', account: accountId(2), market: 0 });
  }

  #enter(account: AccountId): void {
    if (this.#kind === 'reduceOnly') {
      this.#give(this.#order(this.#house, 'sell', { price: MARK, size: ORDERS_PER_ACCOUNT }));
      this.#give(this.#order(account, 'buy', { price: MARK, size: ORDERS_PER_ACCOUNT }));
    }
    for (let index = 0; index < ORDERS_PER_ACCOUNT; index += 1) {
      const isBid = this.#kind === 'aboveMark';
      const order = this.#order(account, isBid ? 'buy' : 'sell', { price: isBid ? MARK - 1_000 - index : MARK + 1_000 + index, size: 1 });
      this.#give({ ...order, contract: { ...order.contract, reduceOnly: this.#kind === 'reduceOnly' } });
    }
  }

  #price(price: number): void {
    this.#at += 3_000;
    const index = ['a', 'b', 'c'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    const external = index.map(({ source, ageMs }) => ({ source, price: ticks(price), ageMs }));
    this.#give({ type: 'SubmitPrices', market: CONTRACT, index, external });
  }

  #open(id: number, margin: Atoms): AccountId {
    const account = accountId(id);
    const address = parseAddress(`0x${id.toString(16).padStart(40, '0')}`);
    assert(address !== undefined, 'an address of 40 hex digits');
    this.#give({ type: 'OpenAccount', address });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.#give({ type: 'SetAccountFlag', account, flag, value: true });
    this.#give({ type: 'CreditDeposit', key: `${id}`, address, asset: USDC, amount: margin });
    this.#give({ type: 'Transfer', account, transferId: 'in', asset: USDC, amount: margin, from: 'funding', to: 'spot' });
    this.#give(marginOf(account, margin));
    return account;
  }

  #order(account: AccountId, side: Side, { price, size }: { readonly price: number; readonly size: number }): PlaceContractOrder {
    const order = {
      type: 'PlaceOrder',
      account,
      market: CONTRACT,
      clientOrderId: '',
      side,
      orderType: 'limit',
      timeInForce: 'GTC',
      price: ticks(price),
      size: lots(size),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
    } as const;
    return inContract(order, CONTRACT);
  }

  #give(command: Command): number {
    this.#seq += 1;
    const sequenced = { seq: seq(this.#seq), at: millis(this.#at), command };
    const started = performance.now();
    const events = this.#engine.apply(sequenced);
    const ms = performance.now() - started;
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type}: ${first.reason} ${first.field}`);
    return ms;
  }
}

/**
 * An exchange with one spot market, in which an honest trader trades, and one contract, in which much happens at once: an order through many makers, or a fall of
 * the price that liquidates many. Each kind is prepared for several times.
 */
import type { Command, PlaceOrder, Side } from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import { accountId, assert, assetId, atoms, lots, marketId, NO_ATOMS, NO_TICKS, parseAddress, ppm, ticks } from '@orrery/units';
import type { AccountId, Atoms, MarketId } from '@orrery/units';
import { inContract } from './busy-flow.ts';
import { listingOfContract, marginOf, opening } from './opening.ts';

const SPOT = marketId(1);
const CONTRACT = marketId(2);
const USDC = assetId(1);
const HONEST = 2;
/** Makes and takes what is heavy. */
const HOUSE = accountId(HONEST + 1);
const LIQUIDATOR = accountId(HONEST + 2);
const FIRST = HONEST + 3;
const RICH = atoms(10n ** 17n);

export const MAKERS = 10_000;
export const LIQUIDATED = 1_000;
const ORDERS_PER_ACCOUNT = 500;

const MARK = 1_000_000;
const SIZE = 1_000;
const NOTIONAL = BigInt(MARK * SIZE);
/** Each fall is by 1 % of the first price: those of the next one have 1 % of their notional more. */
const FALL = 10_000;

export interface Heavy {
  /** Before anything is measured. */
  readonly prelude: Iterable<Command>;
  /** Each time as much at once as the one before. */
  readonly events: readonly (() => Command)[];
  /** A round of prices, which the contract needs every few seconds. */
  readonly price: () => Command;
}

/** Two accounts trade with each other in the middle of the spot market: one order in two is a trade. */
export function* honestOrders(count: number): Generator<Command> {
  for (let index = 0; index < count; index += 1) {
    const isSell = index % 2 === 0;
    yield order({ account: accountId(isSell ? 1 : 2), market: SPOT, side: isSell ? 'sell' : 'buy', price: MARK, size: 100 });
  }
}

/** One order of the house through 10,000 plain makers, each time at the next price. */
export function throughMakers(times: number): Heavy {
  const levels = Array.from({ length: times }, (_, index) => MARK + 1_000 + 10 * index);
  return {
    prelude: makers(levels),
    events: levels.map(
      (price) => () => inContract(order({ account: HOUSE, market: CONTRACT, side: 'buy', price, size: MAKERS }), CONTRACT),
    ),
    price: () => round(MARK),
  };
}

function* makers(levels: readonly number[]): Generator<Command> {
  yield* foundation();
  let made = 0;
  for (const price of levels) {
    for (let index = 0; index < MAKERS; index += 1) {
      const account = accountId(FIRST + Math.floor(made / ORDERS_PER_ACCOUNT));
      if (made % ORDERS_PER_ACCOUNT === 0) yield* open(account, atoms(10n ** 12n));
      made += 1;
      yield inContract(order({ account, market: CONTRACT, side: 'sell', price, size: 1 }), CONTRACT);
    }
  }
}

/** The price falls below the maintenance of 1,000 longs, each time of the next ones; the house buys what their liquidations close. */
export function liquidations(times: number): Heavy {
  let price = MARK;
  const falls = Array.from({ length: times }, (_, index) => MARK - 15_000 - FALL * index);
  return {
    prelude: longs(falls),
    events: falls.map((next) => () => {
      price = next;
      return round(price);
    }),
    price: () => round(price),
  };
}

function* longs(falls: readonly number[]): Generator<Command> {
  yield* foundation();
  for (const [index, fall] of falls.entries()) {
    // At 40 × an opening needs 2.5 % and the fee.
    const margin = atoms((NOTIONAL * BigInt(256 + 100 * index)) / 10_000n);
    for (let count = 0; count < LIQUIDATED; count += 1) {
      const account = accountId(FIRST + index * LIQUIDATED + count);
      yield* open(account, margin);
      yield { type: 'SetLeverage', account, market: CONTRACT, positionSide: 'both', leverage: 40 };
      yield inContract(order({ account: HOUSE, market: CONTRACT, side: 'sell', price: MARK, size: SIZE }), CONTRACT);
      yield inContract(order({ account, market: CONTRACT, side: 'buy', price: MARK, size: SIZE }), CONTRACT);
    }
    yield inContract(order({ account: HOUSE, market: CONTRACT, side: 'buy', price: fall - 1_000, size: SIZE * LIQUIDATED }), CONTRACT);
  }
}

function* foundation(): Generator<Command> {
  yield* opening({ accounts: HONEST, markets: 1 });
  yield* listingOfContract(CONTRACT);
  yield { type: 'UpgradeRules', version: LATEST_RULES };
  yield { type: 'FundBudget', budget: 'insurance', asset: USDC, amount: atoms(10n ** 15n), key: 'insurance' };
  yield* open(HOUSE, RICH);
  yield* open(LIQUIDATOR, NO_ATOMS);
  yield { type: 'SetLiquidator', account: LIQUIDATOR };
  for (let index = 0; index < 4; index += 1) yield round(MARK);
}

function* open(account: AccountId, margin: Atoms): Generator<Command> {
  const address = parseAddress(`0x${account.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'an address of 40 hex digits');
  yield { type: 'OpenAccount', address };
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
  if (margin === NO_ATOMS) return;
  yield { type: 'CreditDeposit', key: `${account}`, address, asset: USDC, amount: margin };
  yield { type: 'Transfer', account, transferId: 'in', asset: USDC, amount: margin, from: 'funding', to: 'spot' };
  yield marginOf(account, margin);
}

function round(price: number): Command {
  const index = ['a', 'b', 'c'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
  return {
    type: 'SubmitPrices',
    market: CONTRACT,
    index,
    external: index.map(({ source, ageMs }) => ({ source, price: ticks(price), ageMs })),
  };
}

interface Plain {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
}

const order = ({ account, market, side, price, size }: Plain): PlaceOrder => ({
  type: 'PlaceOrder',
  account,
  market,
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
});

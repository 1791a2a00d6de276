/** The smallest exchange that is worth breaking: two of the listed markets, and a few people with plenty of everything. */
import { ASSETS, MARKETS as LISTED } from '@orrery/exchange/listing';
import type { CancelOrder, Command, PlaceOrder, Side } from '@orrery/protocol';
import {
  accountId,
  assert,
  atoms,
  lots,
  marketId,
  NO_ATOMS,
  NO_TICKS,
  parseAddress,
  ppm,
  ticks,
  type AccountId,
  type Address,
  type MarketId,
} from '@orrery/units';

/** Of each asset, in atoms. */
const RICH = atoms(10n ** 24n);
const SIZE = lots(100);
/** Above the limit that these accounts can reach. */
const MOST_OPEN_ORDERS = 1_000_000;
/** Around which everybody trades, in ticks. */
export const MID = 100_000;
export const MARKETS = [marketId(1), marketId(2)] as const;

/** What makes the town: each answered without a reject. */
export function* founding(people: number): Generator<Command> {
  for (const asset of ASSETS) yield { type: 'RegisterAsset', ...asset };
  for (const market of LISTED.slice(0, MARKETS.length)) yield { type: 'RegisterMarket', ...market, maxOpenOrders: MOST_OPEN_ORDERS };
  for (let person = 1; person <= people; person += 1) yield* moveIn(accountId(person));
}

function* moveIn(account: AccountId): Generator<Command> {
  const address = addressOf(account);
  yield { type: 'OpenAccount', address };
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
  for (const { asset, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    yield { type: 'CreditDeposit', key: `${account}:${asset}`, address, asset, amount: RICH };
    yield { type: 'Transfer', account, transferId: `in-${asset}`, asset, amount: RICH, from: 'funding', to: 'spot' };
  }
}

function addressOf(account: AccountId): Address {
  const address = parseAddress(`0x${account.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'an address of 40 hex digits');
  return address;
}

export interface LimitOrder {
  readonly account: number;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: number;
  /** By which it is looked for afterwards: given once. */
  readonly name: string;
}

export function limitOrder({ account, market, side, price, name }: LimitOrder): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account: accountId(account),
    market,
    clientOrderId: name,
    side,
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(price),
    size: SIZE,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  };
}

export const cancelOf = ({ account, clientOrderId }: Pick<PlaceOrder, 'account' | 'clientOrderId'>): CancelOrder => ({
  type: 'CancelOrder',
  account,
  orderId: 0,
  clientOrderId,
});

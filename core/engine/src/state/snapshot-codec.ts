/** Snapshots as bytes: the layout of each part, declared once for writing and for reading. */
import {
  ACCOUNT_FLAGS,
  assetFields,
  DecodeError,
  fields,
  list,
  MARKET_STATES,
  marketFields,
  orderFields,
  Reader,
  record,
  WALLETS,
  Writer,
} from '@orrery/protocol';
import type { Asset, Market, Order } from '@orrery/protocol';
import { SYSTEM_ACCOUNTS } from '../ledger/balance.ts';
import { KEYED } from '../money/money-records.ts';
import type {
  AccountSnapshot,
  BalanceSnapshot,
  ClaimSnapshot,
  KeySnapshot,
  MarketSnapshot,
  OrderSnapshot,
  Snapshot,
  SystemBalanceSnapshot,
  WithdrawalSnapshot,
} from './snapshot.ts';

/** The version of the bytes of the state. */
const STATE_VERSION = 1;

const { account, address, amount, asset, count, oneOf, optionalOrder, price, size, text, time } = fields;

const order = record<Order>(orderFields);

const market = record<MarketSnapshot>({
  terms: record<Market>(marketFields),
  state: oneOf(MARKET_STATES),
  lastPrice: price,
  lastTradeAt: time,
  indexPrice: price,
  resting: list(fields.order),
});

const accountSnapshot = record<AccountSnapshot>({
  address,
  flags: list(oneOf(ACCOUNT_FLAGS)),
  closed: list(record({ order, replaces: optionalOrder, closedAt: time })),
  suspended: list(record({ key: text, asset, amount })),
  lastClaimAt: list(time),
});

const withdrawal = record<WithdrawalSnapshot>({
  withdrawalId: text,
  account,
  asset,
  amount,
  to: address,
  state: oneOf(['held', 'sent', 'posted', 'refunded']),
  txHash: text,
});

const snapshot = record<Snapshot>({
  lastOrderId: count,
  lastTradeId: count,
  assets: list(record<Asset>(assetFields)),
  accounts: list(accountSnapshot),
  balances: list(record<BalanceSnapshot>({ account, wallet: oneOf(WALLETS), asset, free: amount, held: amount })),
  systemBalances: list(record<SystemBalanceSnapshot>({ system: oneOf(SYSTEM_ACCOUNTS), asset, free: amount, held: amount })),
  orders: list(record<OrderSnapshot>({ order, replaces: optionalOrder, remaining: size, filled: size, filledNotional: amount })),
  markets: list(market),
  keys: list(record<KeySnapshot>({ kind: oneOf(KEYED), key: text, body: text })),
  withdrawals: list(withdrawal),
  claims: list(record<ClaimSnapshot>({ claimId: text, account, asset, reservedAt: time, state: oneOf(['reserved', 'paid', 'failed']) })),
});

export function encodeSnapshot(value: Snapshot): Uint8Array {
  const writer = new Writer();
  writer.byte(STATE_VERSION);
  snapshot.write(writer, value);
  return writer.take();
}

export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const reader = new Reader(bytes);
  const version = reader.byte();
  if (version !== STATE_VERSION) throw new DecodeError(`version ${version} of the state is not known here`);
  const value = snapshot.read(reader);
  if (!reader.atEnd) throw new DecodeError('bytes after the end of the state');
  return value;
}

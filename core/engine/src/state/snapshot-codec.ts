/** Snapshots as bytes: the layout of each part, declared once for writing and for reading. */
import {
  ACCOUNT_FLAGS,
  assetFields,
  balanceField,
  DecodeError,
  fields,
  list,
  MARKET_STATES,
  marketFields,
  orderField,
  Reader,
  record,
  Writer,
} from '@orrery/protocol';
import type { Asset, Field, Market } from '@orrery/protocol';
import type { SuspendedDeposit } from '../accounts/account.ts';
import { closedOrderField, type EncodedClosings } from '../accounts/closings.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/balance.ts';
import { KEYED } from '../money/money-records.ts';
import type {
  AccountSnapshot,
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

const market = record<MarketSnapshot>({
  terms: record<Market>(marketFields),
  state: oneOf(MARKET_STATES),
  lastPrice: price,
  lastTradeAt: time,
  indexPrice: price,
  resting: list(fields.order),
});

// What there is most of is written and read by name, not by a walk over the fields: several times as fast.

/** They are kept in these bytes: written as they are, and read to the end to know that they are. */
const closings: Field<EncodedClosings> = {
  write: (writer, { count: closed, bytes }) => {
    count.write(writer, closed);
    writer.raw(bytes);
  },
  read: (reader) => {
    const closed = count.read(reader);
    const start = reader.offset;
    for (let rest = closed; rest > 0; rest -= 1) closedOrderField.read(reader);
    return { count: closed, bytes: reader.since(start) };
  },
};

const openOrder: Field<OrderSnapshot> = {
  write: (writer, { order, replaces, remaining, filled, filledNotional }) => {
    orderField.write(writer, order);
    optionalOrder.write(writer, replaces);
    size.write(writer, remaining);
    size.write(writer, filled);
    amount.write(writer, filledNotional);
  },
  read: (reader) => ({
    order: orderField.read(reader),
    replaces: optionalOrder.read(reader),
    remaining: size.read(reader),
    filled: size.read(reader),
    filledNotional: amount.read(reader),
  }),
};

const flags = list(oneOf(ACCOUNT_FLAGS));
const suspendedDeposits = list(record<SuspendedDeposit>({ key: text, asset, amount }));
const claimTimes = list(time);

const accountSnapshot: Field<AccountSnapshot> = {
  write: (writer, value) => {
    address.write(writer, value.address);
    flags.write(writer, value.flags);
    closings.write(writer, value.closed);
    suspendedDeposits.write(writer, value.suspended);
    claimTimes.write(writer, value.lastClaimAt);
  },
  read: (reader) => ({
    address: address.read(reader),
    flags: flags.read(reader),
    closed: closings.read(reader),
    suspended: suspendedDeposits.read(reader),
    lastClaimAt: claimTimes.read(reader),
  }),
};

const keyKind = oneOf(KEYED);

const key: Field<KeySnapshot> = {
  write: (writer, value) => {
    keyKind.write(writer, value.kind);
    text.write(writer, value.key);
    text.write(writer, value.body);
  },
  read: (reader) => ({ kind: keyKind.read(reader), key: text.read(reader), body: text.read(reader) }),
};

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
  balances: list(balanceField),
  systemBalances: list(record<SystemBalanceSnapshot>({ system: oneOf(SYSTEM_ACCOUNTS), asset, free: amount, held: amount })),
  orders: list(openOrder),
  markets: list(market),
  keys: list(key),
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

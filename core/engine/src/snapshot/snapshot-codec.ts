/** Snapshots as bytes: the layout of each part, declared once for writing and for reading. */
import {
  ACCOUNT_FLAGS,
  anyOrderField,
  assetFields,
  balanceField,
  capsFields,
  DecodeError,
  fields,
  list,
  MARKET_STATES,
  marketFields,
  Reader,
  record,
  Writer,
} from '@orrery/protocol';
import type { Asset, Field, Market, WithdrawalCaps } from '@orrery/protocol';
import { rulesVersion, type RulesVersion } from '@orrery/rules';
import { assert, millis, NO_TICKS, type AssetId } from '@orrery/units';
import type { SuspendedDeposit } from '../accounts/account.ts';
import { closedOrderField, type EncodedClosings } from '../client-order-ids/closings.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/balance.ts';
import { KEYED } from '../money/money-records.ts';
import type { Outflow } from '../money/outflows.ts';
import { contractsFields } from './contract-fields.ts';
import { NO_CONTRACTS, type ContractsSnapshot } from './contract-snapshot.ts';
import { fundsFields, hasFunds, NO_FUNDS, type FundsSnapshot } from './fund-snapshot.ts';
import { NOTHING_OF_OTC, otcSnapshotFields, type OtcSnapshot } from './otc-snapshot.ts';
import { NO_QUOTA_USES, quotaFields, type QuotaSnapshot } from './quota-snapshot.ts';
import { NOTHING_OF_RULES_7, rules7Fields, type Rules7Snapshot } from './rules-7-snapshot.ts';
import { NOTHING_OF_RULES_8, rules8Fields, type Rules8Snapshot } from './rules-8-snapshot.ts';
import { hasSpotTerms, NO_SPOT_TERMS, spotTermsFields, type SpotTermsSnapshot } from './spot-terms-snapshot.ts';
import type { Marks } from '../triggers/trigger-ladder.ts';
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

/**
 * The layouts of the bytes of the state, which begin with the number of theirs. Every layout ever written can be read; a state can be written in
 * an older one while it has nothing that the older one lacks.
 */
const FIRST_LAYOUT = 1;

/** The layouts in which a state can be written, the newest first. A layout has no place for what later rules keep than those it came with. */
export const layoutsOf = (state: Layered): readonly number[] =>
  state.rules === 9 && hasFunds(state) ? WITH_FUNDS : state.rules === 8 && hasSpotTerms(state) ? WITH_SPOT_TERMS : LAYOUTS_OF[state.rules];
interface Layered extends Pick<Snapshot, 'rules'> {
  readonly orders: Iterable<Pick<OrderSnapshot, 'order'>>;
  readonly purchases: Iterable<unknown>;
  /** Of an exchange, or of a snapshot. */
  readonly fundShares: readonly AssetId[];
}
const WITH_SPOT_TERMS: readonly number[] = [7];
const WITH_FUNDS: readonly number[] = [9];
const LAYOUTS_OF: Readonly<Record<RulesVersion, readonly number[]>> = {
  1: [3, 2, 1],
  2: [3, 2],
  4: [3],
  5: [4],
  6: [4],
  7: [5],
  8: [6],
  9: [8],
  10: [10],
};

/** The one in which a state is written unless another is named. */
export const newestLayoutOf = (state: Layered): number => layoutsOf(state)[0] ?? FIRST_LAYOUT;

const { account, address, amount, asset, count, oneOf, optionalOrder, price, size, text, time } = fields;

const terms = record<Market>(marketFields);
const state = oneOf(MARKET_STATES);
const resting = list(fields.order);

type PricesOfRules2 = 'indexAt' | 'average' | 'averageAt' | 'reached';
const marketLayout1 = record<Omit<MarketSnapshot, PricesOfRules2>>({
  terms,
  state,
  lastPrice: price,
  lastTradeAt: time,
  indexPrice: price,
  resting,
});
const marketLayout2 = record<MarketSnapshot>({
  terms,
  state,
  lastPrice: price,
  lastTradeAt: time,
  indexPrice: price,
  indexAt: time,
  average: count,
  averageAt: time,
  reached: record<Marks>({ high: price, low: price }),
  resting,
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
    anyOrderField.write(writer, order);
    optionalOrder.write(writer, replaces);
    size.write(writer, remaining);
    size.write(writer, filled);
    amount.write(writer, filledNotional);
  },
  read: (reader) => ({
    order: anyOrderField.read(reader),
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

const withdrawalFields = {
  withdrawalId: text,
  account,
  asset,
  amount,
  to: address,
  state: oneOf(['held', 'sent', 'posted', 'refunded']),
  txHash: text,
};
const withdrawalLayout2 = record<Omit<WithdrawalSnapshot, 'heldAt'>>(withdrawalFields);
const withdrawalLayout3 = record<WithdrawalSnapshot>({ ...withdrawalFields, heldAt: list(time) });

const rules: Field<RulesVersion> = {
  write: (writer, version) => writer.byte(version),
  read: (reader) => {
    const version = rulesVersion(reader.byte());
    if (version === undefined) throw new DecodeError('rules of a version that is not known here');
    return version;
  },
};

/** The parts that are the same in every layout. */
const before = {
  lastOrderId: count,
  lastTradeId: count,
  assets: list(record<Asset>(assetFields)),
  accounts: list(accountSnapshot),
  balances: list(balanceField),
  systemBalances: list(record<SystemBalanceSnapshot>({ system: oneOf(SYSTEM_ACCOUNTS), asset, free: amount, held: amount })),
  orders: list(openOrder),
};
const keys = list(key);
const claims = list(
  record<ClaimSnapshot>({ claimId: text, account, asset, reservedAt: time, state: oneOf(['reserved', 'paid', 'failed']) }),
);

type Layout9 = Omit<Snapshot, keyof QuotaSnapshot>;
type Layout8 = Omit<Layout9, keyof FundsSnapshot>;
type Layout7 = Omit<Layout8, keyof OtcSnapshot>;
type Layout6 = Omit<Layout7, keyof SpotTermsSnapshot>;
type Layout5 = Omit<Layout6, keyof Rules8Snapshot>;
type Layout4 = Omit<Layout5, keyof Rules7Snapshot>;
type Layout3 = Omit<Layout4, keyof ContractsSnapshot>;
type Layout2 = Omit<Layout3, 'withdrawals' | 'caps' | 'outflows'> & {
  readonly withdrawals: readonly Omit<WithdrawalSnapshot, 'heldAt'>[];
};
type Layout1 = Omit<Layout2, 'rules' | 'markets'> & { readonly markets: readonly Omit<MarketSnapshot, PricesOfRules2>[] };
const behindLayout2 = { keys, withdrawals: list(withdrawalLayout2), claims };
const layout1 = record<Layout1>({ ...before, markets: list(marketLayout1), ...behindLayout2 });
const layout2 = record<Layout2>({ rules, ...before, markets: list(marketLayout2), ...behindLayout2 });
const layout3Fields = {
  rules,
  ...before,
  markets: list(marketLayout2),
  keys,
  withdrawals: list(withdrawalLayout3),
  claims,
  caps: list(record<WithdrawalCaps>(capsFields)),
  outflows: list(record<Outflow>({ asset, minute: time, amount })),
};
const layout3 = record<Layout3>(layout3Fields);
const layout4 = record<Layout4>({ ...layout3Fields, ...contractsFields });
const layout5 = record<Layout5>({ ...layout3Fields, ...contractsFields, ...rules7Fields });
const layout6 = record<Layout6>({ ...layout3Fields, ...contractsFields, ...rules7Fields, ...rules8Fields });
const layout7Fields = { ...layout3Fields, ...contractsFields, ...rules7Fields, ...rules8Fields, ...spotTermsFields };
const layout7 = record<Layout7>(layout7Fields);
/** Of rules 9: what the OTC desk keeps. */
const layout8Fields = { ...layout7Fields, ...otcSnapshotFields };
const layout8 = record<Layout8>(layout8Fields);
const layout9Fields = { ...layout8Fields, ...fundsFields };
const layout9 = record<Layout9>(layout9Fields);
/** Of rules 10: what withdrawals take of quotas. It has funds in any case. */
const layout10 = record<Snapshot>({ ...layout9Fields, ...quotaFields });

/** What came with a layout, and with those after it. */
const NOTHING_OF_LAYOUT_8 = { ...NOTHING_OF_OTC, ...NO_FUNDS, ...NO_QUOTA_USES };
const NOTHING_OF_LAYOUT_7 = { ...NO_SPOT_TERMS, ...NOTHING_OF_LAYOUT_8 };

/** @param layout one of `layoutsOf` the state */
export function encodeSnapshot(value: Snapshot, layout: number): Uint8Array {
  assert(layoutsOf(value).includes(layout), `the state can be written in layout ${layout}`);
  const writer = new Writer();
  writer.byte(layout);
  if (layout === 1) layout1.write(writer, value);
  else if (layout === 2) layout2.write(writer, value);
  else if (layout === 3) layout3.write(writer, value);
  else if (layout === 4) layout4.write(writer, value);
  else if (layout === 5) layout5.write(writer, value);
  else if (layout === 6) layout6.write(writer, value);
  else if (layout === 7) layout7.write(writer, value);
  else if (layout === 8) layout8.write(writer, value);
  else if (layout === 9) layout9.write(writer, value);
  else layout10.write(writer, value);
  return writer.take();
}

export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const reader = new Reader(bytes);
  const value = readSnapshot(reader, reader.byte());
  if (!reader.atEnd) throw new DecodeError('bytes after the end of the state');
  return value;
}

function readSnapshot(reader: Reader, layout: number): Snapshot {
  switch (layout) {
    case 1:
      return fromLayout2(fromLayout1(layout1.read(reader)));
    case 2:
      return fromLayout2(layout2.read(reader));
    case 3:
      return { ...layout3.read(reader), ...NO_CONTRACTS, ...NOTHING_OF_RULES_7, ...NOTHING_OF_RULES_8, ...NOTHING_OF_LAYOUT_7 };
    case 4:
      return { ...layout4.read(reader), ...NOTHING_OF_RULES_7, ...NOTHING_OF_RULES_8, ...NOTHING_OF_LAYOUT_7 };
    case 5:
      return { ...layout5.read(reader), ...NOTHING_OF_RULES_8, ...NOTHING_OF_LAYOUT_7 };
    case 6:
      return { ...layout6.read(reader), ...NOTHING_OF_LAYOUT_7 };
    case 7:
      return { ...layout7.read(reader), ...NOTHING_OF_LAYOUT_8 };
    case 8:
      return { ...layout8.read(reader), ...NO_FUNDS, ...NO_QUOTA_USES };
    case 9:
      return { ...layout9.read(reader), ...NO_QUOTA_USES };
    case 10:
      return layout10.read(reader);
    default:
      throw new DecodeError(`layout ${layout} of the state is not known here`);
  }
}

const fromLayout2 = ({ withdrawals, ...rest }: Layout2): Snapshot => ({
  ...rest,
  withdrawals: withdrawals.map((withdrawal) => ({ ...withdrawal, heldAt: [] })),
  caps: [],
  outflows: [],
  ...NO_CONTRACTS,
  ...NOTHING_OF_RULES_7,
  ...NOTHING_OF_RULES_8,
  ...NOTHING_OF_LAYOUT_7,
});

const fromLayout1 = ({ markets, ...rest }: Layout1): Layout2 => ({
  ...rest,
  rules: 1,
  markets: markets.map((market) => ({
    ...market,
    indexAt: millis(0),
    average: 0,
    averageAt: millis(0),
    reached: { high: NO_TICKS, low: NO_TICKS },
  })),
});

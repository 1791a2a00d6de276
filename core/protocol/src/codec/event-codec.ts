/** Events in bytes. Field order and tags are the format: change them only with a new version. */
import { assert } from '@orrery/units';
import { ACCOUNT_FLAGS, BUDGETS, CLAIM_OUTCOMES } from '../commands.ts';
import type { CommandRejected, Event } from '../events.ts';
import { MARKET_STATES } from '../market.ts';
import { FIGURE_UNITS, REJECT_REASONS, REJECTS } from '../rejects.ts';
import type { RejectFigures, RejectReason } from '../rejects.ts';
import { balanceField } from './balance-field.ts';
import { assetFields, capsFields, changeableFields, marketFields } from './command-codec.ts';
import {
  account,
  address,
  amount,
  asset,
  closeReason,
  count,
  integer,
  market,
  oneOf,
  order,
  price,
  side,
  size,
  text,
  time,
  trade,
  truth,
  wallet,
} from './field.ts';
import type { Field } from './field.ts';
import type { Writer } from './writer.ts';
import { DecodeError } from './reader.ts';
import { contractEventRecords } from './contract-event-records.ts';
import { fundEventRecords } from './fund-records.ts';
import { writeOrderClosed, writeOrderRested, writeTrade } from './order-event-writers.ts';
import { furtherOrderField, orderField } from './order-field.ts';
import { otcEventRecords } from './otc-records.ts';
import { record, unionCodec } from './record.ts';

const reasonByCode = new Map<number, RejectReason>(REJECT_REASONS.map((reason) => [REJECTS[reason].code, reason]));

/** By its code, which never changes; its place in the list of precedence may. */
const rejectReason: Field<RejectReason> = {
  write: (writer, value) => writer.uint(REJECTS[value].code),
  read: (reader) => {
    const reason = reasonByCode.get(reader.uint());
    if (reason === undefined) throw new DecodeError('an unknown reject code');
    return reason;
  },
};

const figures = record<RejectFigures>({ unit: oneOf(FIGURE_UNITS), id: count, asked: integer, limit: integer });

const budget = oneOf(BUDGETS);
const money = { asset, amount };
const withdrawal = { account, withdrawalId: text };
const openOrder = { orderId: order, account, market };

function writeRejected(writer: Writer, { reason, field }: CommandRejected): void {
  rejectReason.write(writer, reason);
  text.write(writer, field);
}

/** What is written most stands first: a record is looked for from the front. */
export const eventCodec = unionCodec<Event>({
  BalanceChanged: {
    tag: 9,
    write: (writer, event) => balanceField.write(writer, event),
    read: (reader) => ({ type: 'BalanceChanged', ...balanceField.read(reader) }),
  },
  OrderAccepted: {
    tag: 20,
    write: (writer, event) => orderField.write(writer, event),
    read: (reader) => ({ type: 'OrderAccepted', ...orderField.read(reader) }),
    other: {
      tag: 34,
      isOf: (event) => event.contract !== undefined || event.spot !== undefined,
      write: (writer, event) => furtherOrderField.write(writer, event),
      read: (reader) => ({ type: 'OrderAccepted', ...furtherOrderField.read(reader) }),
    },
  },
  OrderRested: {
    tag: 22,
    fields: { ...openOrder, side, price, remaining: size, filled: size, filledNotional: amount },
    write: writeOrderRested,
  },
  OrderClosed: {
    tag: 27,
    fields: {
      ...openOrder,
      clientOrderId: text,
      reason: closeReason,
      side,
      price,
      removed: size,
      filled: size,
      filledNotional: amount,
    },
    write: writeOrderClosed,
  },
  Trade: {
    tag: 26,
    fields: {
      tradeId: trade,
      market,
      price,
      size,
      notional: amount,
      takerSide: side,
      takerOrderId: order,
      takerAccount: account,
      takerFee: amount,
      makerOrderId: order,
      makerAccount: account,
      makerFee: amount,
      makerRemaining: size,
    },
    write: writeTrade,
  },
  CommandRejected: {
    tag: 1,
    write: writeRejected,
    read: (reader) => ({ type: 'CommandRejected', reason: rejectReason.read(reader), field: text.read(reader) }),
    other: {
      tag: 90,
      isOf: (event) => event.figures !== undefined,
      write: (writer, event) => {
        assert(event.figures !== undefined, 'this form is of refusals with figures');
        writeRejected(writer, event);
        figures.write(writer, event.figures);
      },
      read: (reader) => ({
        type: 'CommandRejected',
        reason: rejectReason.read(reader),
        field: text.read(reader),
        figures: figures.read(reader),
      }),
    },
  },
  CommandRepeated: { tag: 2, fields: { key: text } },
  AssetRegistered: { tag: 3, fields: assetFields },
  MarketRegistered: { tag: 4, fields: marketFields },
  MarketStateChanged: { tag: 5, fields: { market, state: oneOf(MARKET_STATES) } },
  IndexPriceSet: { tag: 6, fields: { market, price } },
  AccountOpened: { tag: 7, fields: { account, address } },
  AccountFlagSet: { tag: 8, fields: { account, flag: oneOf(ACCOUNT_FLAGS), value: truth } },
  DepositCredited: { tag: 10, fields: { key: text, account, ...money, suspended: truth } },
  Transferred: { tag: 11, fields: { account, transferId: text, ...money, from: wallet, to: wallet } },
  WithdrawalHeld: { tag: 12, fields: { ...withdrawal, ...money, to: address } },
  WithdrawnInternally: { tag: 58, fields: { ...withdrawal, recipient: account, ...money, to: address } },
  WithdrawalSent: { tag: 13, fields: { ...withdrawal, txHash: text } },
  WithdrawalPosted: { tag: 14, fields: { ...withdrawal, ...money, txHash: text } },
  WithdrawalRefunded: { tag: 15, fields: { ...withdrawal, ...money } },
  BudgetFunded: { tag: 16, fields: { key: text, budget, ...money } },
  Awarded: { tag: 17, fields: { key: text, budget, account, ...money } },
  FaucetClaimReserved: { tag: 18, fields: { account, claimId: text } },
  FaucetClaimSettled: { tag: 19, fields: { account, claimId: text, outcome: oneOf(CLAIM_OUTCOMES) } },
  OrderRepeated: { tag: 21, fields: { orderId: order, account, clientOrderId: text } },
  OrderArmed: { tag: 23, fields: openOrder },
  OrderTriggered: { tag: 24, fields: { ...openOrder, lastPrice: price } },
  OrderReduced: { tag: 25, fields: { ...openOrder, side, price, reducedBy: size, remaining: size } },
  OrderAmended: {
    tag: 74,
    fields: {
      ...openOrder,
      clientOrderId: text,
      side,
      price,
      size,
      remaining: size,
      oldPrice: price,
      removed: size,
      keepsPlace: truth,
    },
  },
  AwardReversed: { tag: 28, fields: { key: text, awardKey: text, budget, account, ...money } },
  RulesUpgraded: { tag: 30, fields: { version: count } },
  WithdrawalCapsSet: { tag: 31, fields: capsFields },
  MarketTermsChanged: { tag: 33, fields: changeableFields },
  OutflowChanged: { tag: 32, fields: { asset, minute: time, amount } },
  QuotaUsed: { tag: 138, fields: { account, since: time, worth: amount } },
  DepositSuspended: { tag: 29, fields: { key: text, account, ...money, fromFunding: amount, fromSpot: amount, fromFutures: amount } },
  CoinFuturesSuspended: { tag: 60, fields: { key: text, account, ...money } },
  DepositWrittenOff: {
    tag: 62,
    fields: {
      key: text,
      account,
      ...money,
      fromSuspense: amount,
      fromFunding: amount,
      fromSpot: amount,
      fromFutures: amount,
      fromCoinFutures: amount,
      fromInsurance: amount,
      uncovered: amount,
    },
  },
  WriteOffRepaid: { tag: 63, fields: { key: text, account, ...money } },
  OrderPaused: { tag: 70, fields: { ...openOrder, remaining: size, filled: size, filledNotional: amount } },
  TrailingStarted: { tag: 83, fields: { ...openOrder, lastPrice: price } },
  ...fundEventRecords,
  ...contractEventRecords,
  ...otcEventRecords,
});

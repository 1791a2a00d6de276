/** Commands and facts of the OTC desk in bytes. Field order and tags are the format: change them only with a new version. */
import type { OtcCommand, OtcEvent, UpdateAdvertisement } from '../otc.ts';
import {
  account,
  advertisement,
  amount,
  asset,
  count,
  fiatAmount,
  fiatRate,
  optionalAccount,
  otcOrder,
  text,
  time,
  truth,
} from './field.ts';
import {
  advertisementFields,
  advertisementState,
  assistPrices,
  changeableAdvertisementFields,
  disputeOutcome,
  fiat,
  nthDecision,
  otcStatus,
  otcTermsFields,
  settableState,
} from './otc-fields.ts';
import { record } from './record.ts';
import type { Records } from './record.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

const step = { account, order: otcOrder };
const sides = { buyer: account, seller: account };
const deposit = { account, key: text };
const present = { ...advertisementFields, advertisement, account, state: advertisementState, available: amount, version: count };

const bareUpdate = record<Omit<UpdateAdvertisement, 'type' | 'amount' | 'version'>>({
  account,
  advertisement,
  ...changeableAdvertisementFields,
});

function writeUpdate(writer: Writer, command: UpdateAdvertisement): void {
  bareUpdate.write(writer, command);
  if (command.amount !== undefined) amount.write(writer, command.amount);
}

function writeVersionedUpdate(writer: Writer, command: UpdateAdvertisement): void {
  bareUpdate.write(writer, command);
  count.write(writer, command.version ?? 0);
  truth.write(writer, command.amount !== undefined);
  if (command.amount !== undefined) amount.write(writer, command.amount);
}

function readVersionedUpdate(reader: Reader): UpdateAdvertisement {
  const update = { type: 'UpdateAdvertisement' as const, ...bareUpdate.read(reader), version: count.read(reader) };
  return truth.read(reader) ? { ...update, amount: amount.read(reader) } : update;
}

export const otcCommandRecords: Records<OtcCommand> = {
  SetOtcTerms: { tag: 70, fields: otcTermsFields },
  SetAssistPrices: { tag: 71, fields: { prices: assistPrices } },
  PublishAdvertisement: { tag: 72, fields: { account, clientAdvertisementId: text, ...advertisementFields, amount } },
  UpdateAdvertisement: {
    tag: 73,
    write: writeUpdate,
    read: (reader) => ({ type: 'UpdateAdvertisement', ...bareUpdate.read(reader), amount: amount.read(reader) }),
    other: {
      tag: 86,
      isOf: ({ amount: named, version }) => named === undefined || version !== undefined,
      write: writeUpdate,
      read: (reader) => ({ type: 'UpdateAdvertisement', ...bareUpdate.read(reader) }),
      other: { tag: 87, isOf: ({ version }) => version !== undefined, write: writeVersionedUpdate, read: readVersionedUpdate },
    },
  },
  SetAdvertisementState: { tag: 74, fields: { account: optionalAccount, advertisement, state: settableState } },
  CreateOtcOrder: { tag: 75, fields: { account, clientOrderId: text, advertisement, amount, total: fiatAmount, price: fiatRate } },
  MarkOtcOrderPaid: { tag: 76, fields: step },
  ReleaseOtcOrder: { tag: 77, fields: step },
  CancelOtcOrder: { tag: 78, fields: step },
  DisputeOtcOrder: { tag: 79, fields: step },
  DecideOtcDispute: { tag: 80, fields: { order: otcOrder, outcome: disputeOutcome, nth: nthDecision } },
  AppealOtcDecision: { tag: 81, fields: step },
  DepositAsMerchant: { tag: 82, fields: deposit },
  ReturnMerchantDeposit: { tag: 83, fields: deposit },
  PayFromMerchantDeposit: { tag: 84, fields: { key: text, order: otcOrder, amount } },
  RunOtcTimers: { tag: 85, fields: {} },
};

export const otcEventRecords: Records<OtcEvent> = {
  OtcTermsSet: { tag: 100, fields: otcTermsFields },
  AssistPricesSet: { tag: 101, fields: { at: time, prices: assistPrices } },
  AdvertisementPublished: { tag: 102, fields: { ...present, clientAdvertisementId: text } },
  AdvertisementChanged: { tag: 103, fields: present },
  OtcOrderCreated: {
    tag: 104,
    fields: {
      order: otcOrder,
      clientOrderId: text,
      advertisement,
      advertiser: account,
      taker: account,
      ...sides,
      asset,
      amount,
      currency: fiat,
      price: fiatRate,
      total: fiatAmount,
      createdAt: time,
      deadline: time,
      coinsAreHeld: truth,
    },
  },
  OtcOrderStepped: {
    tag: 105,
    fields: {
      order: otcOrder,
      advertisement,
      ...sides,
      asset,
      amount,
      status: otcStatus,
      by: optionalAccount,
      at: time,
      disputableAt: time,
      deadline: time,
      heldUntil: time,
    },
  },
  OtcDisputeDecided: { tag: 106, fields: { order: otcOrder, ...sides, outcome: disputeOutcome, executesAt: time } },
  OtcDecisionAppealed: { tag: 107, fields: { order: otcOrder, by: account } },
  OtcDeadlinesMoved: { tag: 137, fields: { since: time, by: time } },
  MerchantDeposited: { tag: 108, fields: { ...deposit, asset, amount } },
  MerchantDepositReturned: { tag: 109, fields: { ...deposit, asset, amount } },
  MerchantDepositPaid: {
    tag: 110,
    fields: { key: text, order: otcOrder, account, recipient: account, asset, amount, left: amount },
  },
};

/** Commands in bytes. Field order and tags are the format: change them only with a new version. */
import { ACCOUNT_FLAGS, BUDGETS, CLAIM_OUTCOMES } from '../commands.ts';
import type { Command, PlaceOrder } from '../commands.ts';
import type { PlaceContractOrder } from '../contract-commands.ts';
import type { PlaceSpotOrder } from '../spot-commands.ts';
import { ASSET_KINDS, MARKET_STATES } from '../market.ts';
import type { Asset, ChangeableTerms, Market, WithdrawalCaps } from '../market.ts';
import {
  account,
  address,
  amount,
  asset,
  count,
  market,
  oneOf,
  optionalMarket,
  optionalOrder,
  order,
  price,
  rate,
  selfTradePrevention,
  side,
  size,
  text,
  truth,
  wallet,
} from './field.ts';
import type { Field } from './field.ts';
import { contractCommandRecords } from './contract-command-records.ts';
import { fundCommandRecords } from './fund-records.ts';
import { writeOrderTerms } from './order-field.ts';
import { readAmendOrder, readCancelOrder, readPlaceOrder, readPlaceSpotOrder } from './order-command-readers.ts';
import { pairLeg, spotTerms } from './spot-order-fields.ts';
import { otcCommandRecords } from './otc-records.ts';
import { DecodeError } from './reader.ts';
import { list, unionCodec } from './record.ts';
import type { Fields, UnionCodec } from './record.ts';
import { withdrawalCommandRecords } from './withdrawal-records.ts';
import type { Writer } from './writer.ts';

export const assetFields = { asset, code: text, decimals: count, kind: oneOf(ASSET_KINDS) } satisfies Fields<Asset>;

export const marketFields = {
  market,
  symbol: text,
  base: asset,
  quote: asset,
  pricePrecision: count,
  sizePrecision: count,
  lotAtoms: amount,
  tickLotAtoms: amount,
  minPrice: price,
  maxPrice: price,
  minSize: size,
  maxSize: size,
  minNotional: amount,
  maxNotional: amount,
  makerFeePpm: rate,
  takerFeePpm: rate,
  limitBandPpm: rate,
  marketBandPpm: rate,
  maxOpenOrders: count,
} satisfies Fields<Market>;

export const changeableFields = {
  market,
  maxSize: size,
  minNotional: amount,
  maxNotional: amount,
  makerFeePpm: rate,
  takerFeePpm: rate,
  maxOpenOrders: count,
} satisfies Fields<ChangeableTerms>;

export const capsFields = { asset, hourly: amount, daily: amount } satisfies Fields<WithdrawalCaps>;

const budget = oneOf(BUDGETS);

/** An order as its command is written: nothing else stands in a batch. */
const placedOrder: Field<PlaceOrder | PlaceSpotOrder | PlaceContractOrder> = {
  write: (writer, value) => commandCodec.write(writer, value),
  read: (reader) => {
    const command = commandCodec.read(reader);
    if (command.type === 'PlaceOrder' || command.type === 'PlaceSpotOrder' || command.type === 'PlaceContractOrder') return command;
    throw new DecodeError('something else than an order in a batch');
  },
};

function writePlaceSpotOrder(writer: Writer, command: PlaceSpotOrder): void {
  writeOrderTerms(writer, command);
  spotTerms.write(writer, command.spot);
}

/** What is written most stands first: a record is looked for from the front. */
export const commandCodec: UnionCodec<Command> = unionCodec<Command>({
  PlaceOrder: {
    tag: 17,
    write: writeOrderTerms,
    read: readPlaceOrder,
    other: {
      tag: 64,
      isOf: (command) => command.sizing !== undefined,
      write: writeOrderTerms,
      read: (reader) => ({ ...readPlaceOrder(reader), sizing: 'most' }),
    },
  },
  CancelOrder: { tag: 18, fields: { account, orderId: optionalOrder, clientOrderId: text }, read: readCancelOrder },
  RegisterAsset: { tag: 1, fields: assetFields },
  RegisterMarket: { tag: 2, fields: marketFields },
  SetMarketState: { tag: 3, fields: { market, state: oneOf(MARKET_STATES) } },
  SetIndexPrice: { tag: 4, fields: { market, price } },
  OpenAccount: { tag: 5, fields: { address } },
  SetAccountFlag: { tag: 6, fields: { account, flag: oneOf(ACCOUNT_FLAGS), value: truth } },
  CreditDeposit: { tag: 7, fields: { key: text, address, asset, amount } },
  Transfer: { tag: 8, fields: { account, transferId: text, asset, amount, from: wallet, to: wallet } },
  RequestWithdrawal: withdrawalCommandRecords.RequestWithdrawal,
  MarkWithdrawalSent: { tag: 10, fields: { withdrawalId: text, txHash: text } },
  PostWithdrawal: { tag: 11, fields: { withdrawalId: text, txHash: text } },
  RefundWithdrawal: { tag: 12, fields: { withdrawalId: text } },
  FundBudget: { tag: 13, fields: { key: text, budget, asset, amount } },
  AwardFromBudget: { tag: 14, fields: { key: text, budget, account, asset, amount } },
  ReserveFaucetClaim: { tag: 15, fields: { account, claimId: text } },
  SettleFaucetClaim: { tag: 16, fields: { claimId: text, outcome: oneOf(CLAIM_OUTCOMES) } },
  CancelAllOrders: { tag: 19, fields: { account, market: optionalMarket } },
  AmendOrder: { tag: 20, fields: { account, orderId: order, clientOrderId: text, price, size }, read: readAmendOrder },
  ExpireOrders: { tag: 21, fields: {} },
  ReverseAward: { tag: 22, fields: { key: text, awardKey: text } },
  SuspendDeposit: { tag: 23, fields: { key: text } },
  ContinueTriggers: { tag: 25, fields: { market } },
  UpgradeRules: { tag: 24, fields: { version: count } },
  SetWithdrawalCaps: { tag: 26, fields: capsFields },
  SetMarketTerms: { tag: 27, fields: changeableFields },
  WithdrawInternally: withdrawalCommandRecords.WithdrawInternally,
  WriteOffDeposit: { tag: 50, fields: { key: text } },
  ContinueMatching: { tag: 55, fields: { market } },
  PlaceOrders: { tag: 60, fields: { account, orders: list(placedOrder) } },
  CancelOrders: { tag: 61, fields: { account, orderIds: list(order) } },
  PlaceSpotOrder: {
    tag: 62,
    write: writePlaceSpotOrder,
    read: readPlaceSpotOrder,
    other: {
      tag: 66,
      isOf: (command) => command.sizing !== undefined,
      write: writePlaceSpotOrder,
      read: (reader) => ({ ...readPlaceSpotOrder(reader), sizing: 'most' }),
    },
  },
  PlacePair: { tag: 63, fields: { account, market, side, size, selfTradePrevention, above: pairLeg, below: pairLeg } },
  ...fundCommandRecords,
  ...contractCommandRecords,
  ...otcCommandRecords,
});

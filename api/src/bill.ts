/** Every change of a wallet, with its cause and the balance after it. */
import { Type, type Static } from 'typebox';
import {
  Coin,
  Cursor,
  Millis,
  MinSeq,
  Page,
  PageSize,
  SignedDecimal,
  STRING_LENGTH_MAX,
  WalletName,
  listedHistory,
  strict,
} from './fields.ts';
import { routes } from './route.ts';

export const BILL_KINDS = [
  'DEPOSIT',
  'DEPOSIT_SUSPENDED',
  'DEPOSIT_WRITTEN_OFF',
  'TRANSFER',
  'WITHDRAW',
  'WITHDRAW_REFUND',
  'INTERNAL',
  'TRADE',
  'FEE',
  'AWARD',
  'AWARD_REVERSAL',
  'PROFIT',
  'FUNDING',
  'COLLATERAL',
  'LIQUIDATION',
  'TAKEOVER',
  'DELEVERAGING',
  'DEFICIT_SHARE',
  'PRACTICE',
  'SUBSCRIPTION',
  'REDEMPTION',
  'PERFORMANCE_FEE',
  'OTC',
] as const;
export const BillKind = Type.Enum([...BILL_KINDS]);
export type BillKind = Static<typeof BillKind>;

export const Bill = Type.Object({
  id: Type.String(),
  seq: Type.Integer(),
  coin: Coin,
  account: WalletName,
  type: BillKind,
  amount: SignedDecimal,
  afterAmount: Type.String({ description: 'free and held together, after it' }),
  reference: Type.String({
    description:
      'trade, order, transfer, deposit, withdrawal or liquidation id, OTC order (`otc:7`), advertisement (`advertisement:3`), or the end of a funding interval',
  }),
  createdTime: Millis,
});
export type Bill = Static<typeof Bill>;

export const billRoutes = routes({
  bills: {
    method: 'GET',
    path: '/pro/u/asset/bills',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'The changes of your wallets, newest first.',
    query: strict({
      account: Type.Optional(WalletName),
      coin: Type.Optional(Coin),
      type: Type.Optional(BillKind),
      reference: Type.Optional(Type.String({ minLength: 1, maxLength: STRING_LENGTH_MAX, description: 'only what was changed by this' })),
      startTime: Type.Optional(Millis),
      endTime: Type.Optional(Millis),
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      pageSize: Type.Optional(PageSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: listedHistory(Bill),
  },
});

/** Between the wallets of one account: funding and spot, spot and futures. */
import { Type, type Static } from 'typebox';
import { Coin, Cursor, Decimal, DecimalInput, Millis, MinSeq, Page, PageSize, WalletName, listedHistory, strict } from './fields.ts';
import { routes } from './route.ts';

export const TransferId = Type.String({
  maxLength: 64,
  pattern: '^[0-9a-zA-Z_-]{1,64}$',
  description: 'the same id again changes nothing',
});

export const Transfer = Type.Object({
  transferId: Type.String(),
  coin: Coin,
  amount: Decimal,
  from: WalletName,
  to: WalletName,
  createdTime: Millis,
});
export type Transfer = Static<typeof Transfer>;

export const transferRoutes = routes({
  transfer: {
    method: 'POST',
    path: '/pro/u/asset/transfer',
    access: 'transfer',
    rate: 'transfer',
    summary: 'Move money between your wallets; there is no way from futures to funding but through spot.',
    body: strict({ coin: Coin, amount: DecimalInput, from: WalletName, to: WalletName, transferId: Type.Optional(TransferId) }),
    response: Type.Object({ transferId: Type.String() }),
  },
  transfers: {
    method: 'GET',
    path: '/pro/u/asset/transfers',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Your transfers, newest first.',
    query: strict({
      coin: Type.Optional(Coin),
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      pageSize: Type.Optional(PageSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: listedHistory(Transfer),
  },
});

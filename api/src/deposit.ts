/** From the chain to the funding wallet. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, HashText, Millis, Page, PageSize, listed, strict } from './fields.ts';
import { routes } from './route.ts';

export const Deposit = Type.Object({
  txHash: HashText,
  logIndex: Type.Integer(),
  blockNumber: Type.Integer(),
  coin: Coin,
  amount: Decimal,
  state: Type.Enum(['PENDING', 'CREDITED', 'SUSPENDED']),
  confirmations: Type.Integer(),
  requiredConfirmations: Type.Integer(),
  createdTime: Millis,
});
export type Deposit = Static<typeof Deposit>;

export const depositRoutes = routes({
  deposits: {
    method: 'GET',
    path: '/pro/u/asset/deposits',
    access: 'read',
    rate: 'read',
    summary: 'Your deposits with their confirmations, newest first; a pending one is not yours to use yet.',
    query: strict({ coin: Type.Optional(Coin), page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(Deposit),
  },
});

/** From the chain to the funding wallet. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, Cursor, Decimal, HashText, Millis, Page, PageSize, listedHistory, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const Deposit = Type.Object({
  txHash: HashText,
  logIndex: Type.Integer(),
  blockNumber: nullable(Type.Integer({ description: 'null for one that left the chain after it was credited' })),
  coin: Coin,
  amount: Decimal,
  state: Type.Enum(['PENDING', 'CREDITED', 'SUSPENDED', 'WRITTEN_OFF']),
  confirmations: Type.Integer(),
  requiredConfirmations: Type.Integer(),
  createdTime: Millis,
});
export type Deposit = Static<typeof Deposit>;

/** Where a deposit of a coin goes. */
export const DepositAddress = Type.Object({
  coin: Coin,
  account: Type.String({
    ...AddressText,
    description: 'the vault: its function `deposit` is called; a plain transfer to it is credited to nobody',
  }),
  coinType: Type.Enum(['TOKEN', 'NATIVE']),
  token: nullable(Type.String({ ...AddressText, description: 'the contract of the token; null for the native coin of the chain' })),
  chainId: Type.Integer(),
  memo: nullable(Type.String({ description: 'null: the sender of the call is credited, and no coin of this chain has one' })),
  requiredConfirmations: Type.Integer(),
});
export type DepositAddress = Static<typeof DepositAddress>;

export const depositRoutes = routes({
  depositAddress: {
    method: 'GET',
    path: '/pro/u/asset/deposit-address',
    access: 'read',
    rate: 'read',
    summary: 'The contract that takes deposits of a coin, and how: the account of the address that calls it is credited.',
    query: strict({ coin: Coin }),
    response: DepositAddress,
  },
  deposits: {
    method: 'GET',
    path: '/pro/u/asset/deposits',
    access: 'read',
    rate: 'read',
    summary: 'Your deposits with their confirmations, newest first; a pending one is not yours to use yet.',
    query: strict({ coin: Type.Optional(Coin), id: Type.Optional(Cursor), page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listedHistory(Deposit),
  },
});

/** What an account has, wallet by wallet. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, MinSeq, WalletName, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const Balance = Type.Object({
  coin: Coin,
  balanceType: WalletName,
  balance: Type.String({ description: 'free and held together' }),
  freeze: Type.String({ description: 'held for orders and withdrawals' }),
  availableBalance: Decimal,
  estimatedTotalAmount: nullable(Decimal),
  estimatedAvailableAmount: nullable(Decimal),
  estimatedCoinType: Type.Literal('USDC'),
});
export type Balance = Static<typeof Balance>;

export const balanceRoutes = routes({
  spotBalances: {
    method: 'GET',
    path: '/spot/v1/u/balance/spot',
    access: 'read',
    rate: 'read',
    summary: 'The spot wallet.',
    query: strict({ coin: Type.Optional(Coin), minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(Balance),
  },
  balances: {
    method: 'GET',
    path: '/pro/u/asset/balance',
    access: 'read',
    rate: 'read',
    summary: 'One wallet, or all of them when account is left out.',
    query: strict({ account: Type.Optional(WalletName), coin: Type.Optional(Coin), minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(Balance),
  },
});

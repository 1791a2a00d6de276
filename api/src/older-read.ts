/** Reads of the older web client, under their paths and with their fields. Of an account each reads its own: `accountId` is that of the caller. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, MinSeq, SignedDecimal, Symbol, nullable, strict } from './fields.ts';
import { FuturesBalance } from './futures-account.ts';
import { FUTURES_TRADE, FUTURES_USER } from './futures-fields.ts';
import { FuturesOrder } from './futures-order.ts';
import { Position } from './futures-position.ts';
import { FuturesSymbol } from './futures-symbol.ts';
import { routes } from './route.ts';
import { SymbolInfo } from './symbol.ts';

/** There is one environment. */
const listingQuery = strict({ env: Type.Optional(Type.Enum(['testnet'])) });

const AccountIdText = Type.String({ maxLength: 16, pattern: '^[1-9][0-9]{0,15}$', description: 'your own; as if it were left out' });
const ownQuery = { accountId: Type.Optional(AccountIdText), minSeq: Type.Optional(MinSeq) };

export const OlderBalances = Type.Object({
  spotBalance: Type.Array(Type.Object({ coin: Coin, balance: Decimal, availableBalance: Decimal })),
  totalUsdtAmount: Type.String({ description: 'of the older API: worth in USDC of all coins that have a price' }),
});
export type OlderBalances = Static<typeof OlderBalances>;

export const OlderFuturesAccount = Type.Object({
  positions: Type.Array(Position),
  balances: Type.Array(FuturesBalance),
  isolatedMargin: Decimal,
  crossMargin: nullable(Type.String({ description: 'initial margin of crossed positions and orders of U_BASED contracts' })),
  availableMarginForIsolated: nullable(SignedDecimal),
  availableMarginForCross: nullable(SignedDecimal),
});
export type OlderFuturesAccount = Static<typeof OlderFuturesAccount>;

const reading = { method: 'GET', access: 'read', rate: 'read' } as const;
const listing = { method: 'GET', access: 'public', rate: 'public' } as const;

export const olderReadRoutes = routes({
  listedSymbols: {
    ...listing,
    path: '/biz/config/symbol',
    summary: 'The markets of spot and of futures with their rules.',
    query: listingQuery,
    response: Type.Object({ spot: Type.Array(SymbolInfo), futures: Type.Array(FuturesSymbol) }),
  },
  listedFutures: {
    ...listing,
    path: '/biz/futures/symbols',
    summary: 'The perpetual contracts and their rules.',
    query: listingQuery,
    response: Type.Array(FuturesSymbol),
  },
  olderBalances: {
    ...reading,
    path: '/pro/p/user/balance/list',
    summary: 'Your spot wallet, and what it is worth.',
    query: strict(ownQuery),
    response: OlderBalances,
  },
  olderFuturesAccount: {
    ...reading,
    path: `${FUTURES_USER}/public/account/details`,
    summary: 'Your positions, the wallets of futures, and the margin of U_BASED contracts.',
    query: strict(ownQuery),
    response: OlderFuturesAccount,
  },
  olderFuturesOrders: {
    ...reading,
    path: `${FUTURES_TRADE}/public/list`,
    summary: 'Your open orders in contracts that wait for no trigger, newest first.',
    query: strict({ symbol: Type.Optional(Symbol), ...ownQuery }),
    response: Type.Array(FuturesOrder),
  },
});

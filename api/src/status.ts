/** What runs here, and what a page needs to know before anything else. */
import { Type, type Static } from 'typebox';
import { AddressText, Decimal, Millis, nullable } from './fields.ts';
import { AnalyticsSite } from './analytics.ts';
import { routes } from './route.ts';

export const Status = Type.Object({
  ready: Type.Boolean(),
  version: Type.String(),
  seq: Type.Integer(),
  stateHash: Type.String({ description: 'SHA-256 of the canonical state at stateHashSeq' }),
  stateHashSeq: Type.Integer(),
  clockAheadMs: Type.Integer({
    minimum: 0,
    description: 'How far the wall clock of the exchange is ahead of the time of history, while a jump of it is refused; else 0',
  }),
  uptimeMs: Type.Integer(),
  time: Millis,
  connections: Type.Integer(),
  quoteMovePpm: Type.Integer({
    minimum: 0,
    description:
      "By how much the index price moves before the house's quotes follow it, and how much further away they stand than usual, in parts per million: 0 while anybody watches or trades",
  }),
  disk: nullable(
    Type.Object(
      {
        usedBytes: Type.Integer({ minimum: 0, description: 'of the data folder, and of the database where that is elsewhere' }),
        bytesPerDay: nullable(
          Type.Integer({ description: 'by how much it grew a day in the last seven days; null until there is an hour of it' }),
        ),
      },
      { description: 'null before it is first measured' },
    ),
  ),
  parts: Type.Array(
    Type.Object({
      name: Type.String(),
      ready: Type.Boolean(),
      detail: Type.String({ description: 'one sentence when it is not ready' }),
    }),
  ),
});
export type Status = Static<typeof Status>;

export const Chain = Type.Object({
  chainId: Type.Integer(),
  name: Type.String(),
  rpcUrls: Type.Array(Type.String(), { description: 'absolute, or a path on this host' }),
  explorerUrl: nullable(Type.String()),
  nativeCurrency: Type.Object({ name: Type.String(), symbol: Type.String(), decimals: Type.Integer() }),
});
export type Chain = Static<typeof Chain>;

/** What one US dollar costs in another currency. Nobody trades at it: it is for showing values. */
export const CurrencyRate = Type.Object({
  currency: Type.Enum(['cny']),
  perUsd: Decimal,
  date: Type.String({ description: 'the day the rate is of, such as 2025-11-21' }),
  source: Type.String({ description: 'whose rate it is, in words' }),
});
export type CurrencyRate = Static<typeof CurrencyRate>;

export const ClientConfig = Type.Object({
  environment: Type.Enum(['test', 'preview', 'prod']),
  termsCode: Type.String(),
  defaultSymbol: Type.String(),
  defaultChainId: Type.Integer(),
  chains: Type.Array(Chain),
  blockedAddresses: Type.Array(AddressText),
  burnerWallet: Type.Boolean({ description: 'offer a wallet made in the browser, for trying out' }),
  walletConnectProjectId: nullable(Type.String()),
  signerOrigin: nullable(
    Type.String({
      description: 'origin of the signing page of e-mail wallets; one at 127.0.0.1 is at every loopback host; null: there are none',
    }),
  ),
  analytics: nullable(AnalyticsSite),
  joinWhitelistUrl: nullable(Type.String()),
  submitBugUrl: nullable(Type.String()),
  appLinks: Type.Object(
    { appStore: nullable(Type.String()), googlePlay: nullable(Type.String()) },
    { description: 'where the app is in a store; the terminal is installed from its own address anyway' },
  ),
  currencyRates: Type.Array(CurrencyRate),
});
export type ClientConfig = Static<typeof ClientConfig>;

export const statusRoutes = routes({
  status: {
    method: 'GET',
    path: '/status',
    access: 'public',
    rate: 'public',
    summary: 'Whether everything runs, and where history stands.',
    response: Status,
  },
  config: {
    method: 'GET',
    path: '/pro/p/config',
    access: 'public',
    rate: 'public',
    summary: 'What a client must know of this installation.',
    response: ClientConfig,
  },
});

export { createGateway } from './gateway.ts';
export type { Gateway, GatewayOptions } from './gateway.ts';
export type { AnsweredCall, GatewayMeasures } from './measures.ts';
export type { BegunCall, CallTraces, TracedCall } from './http/traced-calls.ts';
export { LIVE, type Probe } from './http/probes.ts';
export { assistPricesOf } from './market-data/assist-prices.ts';
export { hunted } from './futures/hunts.ts';
export { LIMITS } from './limits/limits.ts';
export type { Limits, Rate } from './limits/limits.ts';
export type { CountStore } from './limits/shared-counts.ts';
export { migrations } from './limits/tables.ts';
export type { GatewayTables } from './limits/tables.ts';
export type {
  ApiKeyRecord,
  Authenticator,
  AuthFailure,
  ContractHistory,
  ContractMinutes,
  History,
  MarketHistory,
  MessageNews,
  NewsSource,
  OperatorDoor,
  PageOf,
  Part,
  Rpc,
  Sandbox,
} from './ports.ts';

export { createGateway } from './gateway.ts';
export type { Gateway, GatewayOptions } from './gateway.ts';
export { LIMITS } from './limits.ts';
export type { Limits, Rate } from './limits.ts';
export { mount } from './mount.ts';
export type { Mounted } from './mount.ts';
export type {
  ApiKeyRecord,
  Authenticator,
  AuthFailure,
  History,
  MarketHistory,
  NewsSource,
  OperatorDoor,
  PageOf,
  Part,
  Rpc,
} from './ports.ts';

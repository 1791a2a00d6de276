export { createClient, type Client, type ClientOptions } from './client.ts';
export { CallError, ConnectionError } from './call-error.ts';
export { ApiKeyCredentials, sessionCredentials, type ApiKeyOptions, type Credentials } from './credentials.ts';
export { CALL_TIMEOUT_MS } from './transport.ts';
export { compareDecimals, DepthReplica } from './depth-replica.ts';
export { Stream, type StreamOptions, type Unlisten } from './stream.ts';
export { FuturesStream, type FuturesStreamOptions } from './futures-stream.ts';
export type { ContractListener, FuturesAccountListener, FuturesKlineTopic } from './futures-topic.ts';
export type { ConnectionState, OpenSocket } from './connection.ts';
export type { AccountListener, KlineTopic, MarketListener } from './topic.ts';
export { signInWithWallet, WalletSession, type SigningWallet, type SignInOptions } from './wallet-session.ts';
export {
  type ContractTerms,
  contractTerms,
  type PairTerms,
  pairTerms,
  readPrice,
  readSize,
  type Terms,
  writePrice,
  writeSize,
} from './terms.ts';

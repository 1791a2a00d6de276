/** Asks a wallet to sign for one purpose, with a nonce of the exchange. */
import { STATEMENTS } from '@orrery/api';
import type { FixedPurpose, Purpose } from '@orrery/api';
import { loadCode } from '../../kit/ui/load-code.ts';
import { inTime } from '../wallet/in-time.ts';

export interface SignPorts {
  readonly origin: string;
  readonly chainId: () => Promise<number>;
  readonly nonce: (request: { evmAddress: string; purpose: Purpose }) => Promise<string>;
  /** The exchange's clock: this computer's may be wrong by more than the exchange allows. */
  readonly time: () => Promise<number>;
  readonly signMessage: (text: string) => Promise<string>;
}

export interface Signed {
  readonly nonce: string;
  readonly signature: string;
  readonly message: string;
}

export interface SignRequest {
  readonly address: string;
  readonly purpose: Purpose;
  readonly statement: string;
  readonly requestId?: string;
}

/** As long as the exchange takes a signature for: its nonce lasts five minutes, the person reads for some of them. */
export const SIGNING_LIMIT_MS = 120_000;

/** What a wallet that signs nothing has done. */
export const SIGN_ERROR = 'sign error';

export const statementOf = (purpose: FixedPurpose): string => STATEMENTS[purpose];

export async function sign(ports: SignPorts, { address, purpose, statement, requestId }: SignRequest): Promise<Signed> {
  // Loaded with the first signature: address checksums need a hash function of their own.
  const { printLoginMessage } = await loadCode(() => import('./login-message.ts'));
  const [chainId, issuedAt, nonce] = await Promise.all([ports.chainId(), ports.time(), ports.nonce({ evmAddress: address, purpose })]);
  const message = printLoginMessage({
    address,
    origin: ports.origin,
    chainId,
    statement,
    nonce,
    issuedAt,
    ...(requestId !== undefined && { requestId }),
  });
  const signature = await inTime(ports.signMessage(message), SIGNING_LIMIT_MS);
  if (signature === '' || signature === '0x') throw new Error(SIGN_ERROR);
  return { nonce, signature, message };
}

/** The wallet's own words, without the library's report around them; where the library only says that it does not know the fault, its details. */
export function walletMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words: unknown = Reflect.get(error, error.name === 'UnknownRpcError' ? 'details' : 'shortMessage');
  return typeof words === 'string' && words !== '' ? words : error.message;
}

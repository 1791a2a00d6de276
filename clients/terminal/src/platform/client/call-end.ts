/** What the end of a call says about the way to the exchange. */
import { CallError, ConnectionError } from '@orrery/sdk';
import type { CallEnd } from './reach.ts';

const SERVICE_UNAVAILABLE = 503;
/** What a proxy answers when nobody stands behind it. */
const GATEWAY_ERRORS: readonly number[] = [502, 504];

/** `undefined` when the error says nothing about the network. A refusal of the exchange itself, 503 or not, is an answer. */
export function endOf(error: unknown): CallEnd | undefined {
  if (error instanceof ConnectionError) return 'silence';
  if (!(error instanceof CallError)) return undefined;
  if (error.reason !== undefined) return 'answered';
  if (error.status === SERVICE_UNAVAILABLE) return 'outOfService';
  return GATEWAY_ERRORS.includes(error.status) ? 'silence' : 'answered';
}

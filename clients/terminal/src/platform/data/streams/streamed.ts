/** What a stream has brought, in the words in which a call's answer is known too. */
import type { Loaded } from '../../../kit/ui/loaded.ts';
import type { Health } from './health.ts';

export interface Streamed<Value> {
  /** `undefined` until it has come. */
  readonly value: Value | undefined;
  readonly health: Health;
  /** When the stream was last heard, unix milliseconds. */
  readonly heardAt: number;
  /** Starts the stream again where it failed. */
  readonly retry: () => void;
  /** False for what nobody can be sent, such as an account's things for a visitor. */
  readonly isAsked?: boolean;
}

export function streamedOf<Value>({ value, health, heardAt, retry, isAsked = true }: Streamed<Value>): Loaded<Value> {
  if (value !== undefined) {
    return health === 'fresh' ? { phase: 'fresh', value, since: undefined, retry } : { phase: 'stale', value, since: heardAt, retry };
  }
  if (!isAsked) return { phase: 'idle', value: undefined, error: undefined, retry };
  if (health === 'failed') return { phase: 'failed', value: undefined, error: new Error('the stream could not be started'), retry };
  return { phase: 'loading', value: undefined, error: undefined, retry };
}

/** What is done every few seconds: what waits is written, what is over is forgotten. */
import { ApiError } from '@orrery/api';
import { type Lease, whileHeld } from '@orrery/foundation';
import type { SharedEndings } from './ended-news.ts';
import type { Parts } from './handlers.ts';

export async function sweepAll(
  parts: Parts & { readonly lease: Lease; readonly endings: SharedEndings | undefined },
  onTrouble: (error: unknown) => void,
): Promise<void> {
  parts.endings?.sayAgain();
  const { sessions, apiKeys, traces, records, factors, passwords, codes, captcha, identities, erasures, lease } = parts;
  const steps = [
    () => sessions.sweep(),
    () => apiKeys.sweep(),
    ...[traces, records, factors, passwords, codes, captcha, identities].map((part) => () => part.forget()),
    () => whileHeld(lease, () => erasures.runDue()),
  ];
  // What fails is tried again with the next sweep, and keeps nobody waiting who comes after it.
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      onTrouble(error);
      // A database that does not answer would keep each of the others waiting too.
      if (error instanceof ApiError && error.data.reason === 'Upstream') return;
    }
  }
}

/** What cannot be written is tried again by the sweep. */
export async function writeWaiting({ sessions, apiKeys }: Parts, onTrouble: (error: unknown) => void): Promise<void> {
  for (const part of [sessions, apiKeys]) await part.writeWaiting().catch(onTrouble);
}

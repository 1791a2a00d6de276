/** A part of the house that runs for as long as this process holds its lease, such as the market-maker: elsewhere it waits, and begins when the holder has gone. */
import { type Lease, LeaseLost, whileHeld } from '@orrery/foundation';
import { HeartError } from '@orrery/protocol';
import { checkedHeart } from './leased-heart.ts';
import type { ProgramHeart } from './program-heart.ts';

interface LeasedPart {
  readonly lease: Lease;
  /** Ends soon after the signal, which is given when the lease is lost or the program stops. What ends before that is begun again with the next hold. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

interface RunningPart {
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Begins at once where the lease is held. */
export function startLeasedPart({ lease, run, onTrouble }: LeasedPart): RunningPart {
  const ending = new AbortController();
  const running = (async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const hold = lease.hold();
      if (hold === undefined) {
        await taken(lease, ending.signal);
        continue;
      }
      const over = AbortSignal.any([ending.signal, hold.signal]);
      await whileHeld(lease, () => run(over)).catch((error: unknown) => {
        if (!over.aborted) onTrouble(error);
      });
      await aborted(over);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/**
 * The heart as the clients of the house reach it through the gateway, from outside of any background work: a command of an account for which another process
 * may act by now is refused.
 * @param leases by account; those that are not among them are anybody's
 */
export const guardedHeart = (heart: ProgramHeart, leases: ReadonlyMap<number, Pick<Lease, 'kind' | 'hold'>>): ProgramHeart =>
  checkedHeart(heart, (command) => {
    const lease = 'account' in command ? leases.get(command.account) : undefined;
    if (lease === undefined || lease.hold() !== undefined) return;
    const message = `another process does the work of the ${lease.kind}`;
    throw new HeartError({ failure: 'readOnly', outcomeUnknown: false, message, cause: new LeaseLost(lease.kind) });
  });

/** Resolves when the lease is held, or the signal given. */
function taken(lease: Lease, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = lease.onTaken(resolve);
  if (lease.hold() !== undefined) resolve();
  return Promise.race([promise, aborted(signal)]).finally(forget);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

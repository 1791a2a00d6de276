/** Watches whether funds lose to those who lead them. */
import { type LeasePort, repeat } from '@orrery/foundation';
import type { Funds, HandOf } from '@orrery/fund';
import { troubleOf, type Surroundings } from './surroundings.ts';

const WATCH_EVERY_MS = 300_000;

export async function startFundWatch(
  surroundings: Surroundings,
  { funds, leases, handOf }: { readonly leases: LeasePort; readonly funds: Pick<Funds, 'leaders'>; readonly handOf: HandOf },
): Promise<void> {
  const lease = await leases.open('watch over funds');
  const work = (): Promise<void> => funds.leaders.watch(handOf);
  const timer = repeat({ every: WATCH_EVERY_MS, lease, work, onTrouble: troubleOf(surroundings, 'funds') });
  surroundings.closing.add({ name: 'the watch over funds', stop: () => timer.stop() });
}

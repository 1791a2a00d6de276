/** Watches whether funds lose to those who lead them. */
import type { Funds, HandOf } from '@orrery/fund';
import { troubleOf, type Surroundings } from './surroundings.ts';

const WATCH_EVERY_MS = 300_000;

export function startFundWatch(
  surroundings: Surroundings,
  { funds, handOf }: { readonly funds: Pick<Funds, 'leaders'>; readonly handOf: HandOf },
): void {
  const timer = setInterval(() => void funds.leaders.watch(handOf).catch(troubleOf(surroundings, 'funds')), WATCH_EVERY_MS);
  surroundings.closing.add({ name: 'the watch over funds', stop: () => Promise.resolve(clearInterval(timer)) });
}

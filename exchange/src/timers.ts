/** Time as commands: when the clock says something is due, a command is submitted, and the engine decides by the command's own time. */
import { type LeasePort, repeat } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { ContractTimers } from './contract-timers.ts';
import { OtcTimers } from './otc-timers.ts';
import type { HistoryTime } from './program-heart.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';

/** Orders rest for 90 days; an hour more or less is nothing to them. */
const EXPIRE_EVERY_MS = 3_600_000;

export async function startTimers(
  surroundings: Surroundings,
  { heart, leases }: { readonly heart: Heart & HistoryTime; readonly leases: LeasePort },
): Promise<void> {
  const lease = await leases.open('timers');
  const onTrouble = troubleOf(surroundings, 'timers');
  const expire = async (): Promise<void> => void (await heart.submit({ type: 'ExpireOrders' }));
  const timer = repeat({ every: EXPIRE_EVERY_MS, lease, work: expire, onTrouble, atOnce: true });
  surroundings.closing.add({ name: 'the timers', stop: () => timer.stop() });
  const options = { heart, lease, now: () => heart.nowMs(), onTrouble };
  const contracts = new ContractTimers(options);
  contracts.start();
  surroundings.closing.add({ name: 'the timers of contracts', stop: () => contracts.stop() });
  const desk = new OtcTimers(options);
  desk.start();
  surroundings.closing.add({ name: 'the timers of the OTC desk', stop: () => desk.stop() });
}

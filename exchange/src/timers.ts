/** Time as commands: when the clock says something is due, a command is submitted, and the engine decides by the command's own time. */
import type { Heart } from '@orrery/protocol';
import { ContractTimers } from './contract-timers.ts';
import { OtcTimers } from './otc-timers.ts';
import type { HistoryTime } from './program-heart.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';

/** Orders rest for 90 days; an hour more or less is nothing to them. */
const EXPIRE_EVERY_MS = 3_600_000;

export function startTimers(surroundings: Surroundings, heart: Heart & HistoryTime): void {
  const expire = (): void => {
    heart.submit({ type: 'ExpireOrders' }).catch(troubleOf(surroundings, 'timers'));
  };
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  expire();
  surroundings.closing.add({ name: 'the timers', stop: () => clearInterval(timer) });
  const contracts = new ContractTimers({ heart, now: () => heart.nowMs(), onTrouble: troubleOf(surroundings, 'timers') });
  contracts.start();
  surroundings.closing.add({ name: 'the timers of contracts', stop: () => contracts.stop() });
  const desk = new OtcTimers({ heart, now: () => heart.nowMs(), onTrouble: troubleOf(surroundings, 'timers') });
  desk.start();
  surroundings.closing.add({ name: 'the timers of the OTC desk', stop: () => desk.stop() });
}

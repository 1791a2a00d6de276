import { describe, expect, it } from 'vitest';
import { Reach } from './reach.ts';
import type { CallEnd, ReachPhase } from './reach.ts';

/** A network that answers probes in the given order, and a clock that only the waits move. */
function network(answers: readonly CallEnd[]) {
  const waits: number[] = [];
  const left = [...answers];
  let now = 1_000;
  const reach = new Reach({
    now: () => now,
    sleep: (millis) => {
      waits.push(millis);
      now += millis;
      return Promise.resolve();
    },
    probe: () => Promise.resolve(left.shift() ?? 'answered'),
  });
  const seen: ReachPhase[] = [];
  reach.subscribe(() => seen.push(reach.get().phase));
  return { reach, waits, seen };
}

describe('reach', () => {
  it('asks again and again after a call met silence, later each time and eight seconds apart at most, until there is an answer', async () => {
    const { reach, waits, seen } = network(['silence', 'silence', 'silence', 'silence', 'silence', 'answered']);
    reach.ended('answered');
    reach.ended('silence');
    await reach.whenReached();
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(seen).toEqual(['reached', 'lost', 'reached']);
  });

  it('says since when, and an outage that turns into maintenance began when the outage did', async () => {
    const { reach } = network(['outOfService', 'outOfService', 'answered']);
    reach.ended('silence');
    expect(reach.get()).toEqual({ phase: 'lost', since: 1_000 });
    await Promise.resolve();
    await Promise.resolve();
    expect(reach.get()).toEqual({ phase: 'maintenance', since: 1_000 });
    await reach.whenReached();
    expect(reach.get().phase).toBe('reached');
  });

  it('lets files be asked for while a host answers that it is out of service: the maintenance page is one of them', async () => {
    const { reach } = network(['outOfService', 'outOfService', 'answered']);
    reach.ended('outOfService');
    await reach.whenAnswered();
    expect(reach.get().phase).toBe('maintenance');
    await reach.whenReached();
    expect(reach.get().phase).toBe('reached');
  });

  it('lets nobody wait while nothing says that the exchange cannot be reached', async () => {
    const { reach, waits } = network([]);
    await reach.whenReached();
    reach.ended('answered');
    await reach.whenReached();
    expect(waits).toEqual([]);
  });

  it('ends its questions when another call was answered meanwhile', async () => {
    const { reach, waits } = network(['silence', 'silence', 'silence']);
    reach.ended('silence');
    reach.ended('answered');
    await reach.whenReached();
    await Promise.resolve();
    await Promise.resolve();
    expect(waits).toEqual([500]);
  });

  it('begins from a short wait in the next outage', async () => {
    const { reach, waits } = network(['silence', 'answered', 'answered']);
    reach.ended('silence');
    await reach.whenReached();
    await Promise.resolve();
    reach.ended('silence');
    await reach.whenReached();
    expect(waits).toEqual([500, 1_000, 500]);
  });
});

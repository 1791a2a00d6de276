import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timer } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { marketId, type Seq, ticks } from '@orrery/units';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Room } from './testing/room.ts';

/** Time that passes by the word of a test, a rest at a time. */
class Rests {
  #act: (() => void) | undefined;

  readonly timer: Timer = (act) => {
    this.#act = act;
    return () => (this.#act = undefined);
  };

  /** Ends the rest, and waits until the projector is in the next. */
  async end(): Promise<void> {
    const act = await this.#begun();
    this.#act = undefined;
    act();
    await this.#begun();
  }

  async #begun(): Promise<() => void> {
    while (this.#act === undefined) await nextTurn();
    return this.#act;
  }
}

const PACE_MS = 50;
const BUSY_PACE_MS = 4_000;

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

async function oneMore(): Promise<void> {
  await room.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: ticks(1_000_000) });
}

/** The heart, emitting one command at a time. */
function oneByOne(heart: Heart): Heart {
  return Object.assign(Object.create(heart) as Heart, {
    status: () => heart.status(),
    open: () => heart.open(),
    async *subscribe(after: Seq) {
      for await (const commands of heart.subscribe(after)) for (const command of commands) yield [command];
    },
  });
}

test('J1: while others need the processors history rests 4 s at most, and not at all when it is waited for', async () => {
  await room.begin();
  const rests = new Rests();
  let isBusy = true;
  const projector = await room.start(oneByOne(room.heart), { timer: rests.timer, isBusy: () => isBusy });
  await room.caughtUp(projector);

  await oneMore();
  for (let rested = PACE_MS; rested < BUSY_PACE_MS; rested += PACE_MS) await rests.end();
  expect(projector.status().lag).toBe(1);
  for (let more = 0; more < 3; more += 1) await oneMore();
  await rests.end();
  expect(projector.status().lag).toBe(0);

  await oneMore();
  await rests.end();
  expect(projector.status().lag).toBe(1);
  await room.caughtUp(projector);

  await oneMore();
  await rests.end();
  isBusy = false;
  await rests.end();
  expect(projector.status().lag).toBe(0);
  await projector.stop();
});

import type { Heart } from '@orrery/protocol';
import { marketId, type Seq, ticks } from '@orrery/units';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Rests } from './testing/rests.ts';
import { Room } from './testing/room.ts';

const PACE_MS = 50;
const BUSY_PACE_MS = 4_000;

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

/** Ends the rest, and waits until the projector is in the next. */
async function nextRest(rests: Rests): Promise<void> {
  await rests.end();
  await rests.begun();
}

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
  for (let rested = PACE_MS; rested < BUSY_PACE_MS; rested += PACE_MS) await nextRest(rests);
  expect(projector.status().lag).toBe(1);
  for (let more = 0; more < 3; more += 1) await oneMore();
  await nextRest(rests);
  expect(projector.status().lag).toBe(0);

  await oneMore();
  await nextRest(rests);
  expect(projector.status().lag).toBe(1);
  await room.caughtUp(projector);

  await oneMore();
  await nextRest(rests);
  isBusy = false;
  await nextRest(rests);
  expect(projector.status().lag).toBe(0);
  await projector.stop();
});

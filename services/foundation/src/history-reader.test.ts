import type { Applied } from '@orrery/protocol';
import { atoms, millis, type Seq, seq } from '@orrery/units';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HistoryReader } from './history-reader.ts';

function applied(at: number): Applied {
  const command = { type: 'FundBudget', key: `${at}`, budget: 'faucet', asset: 1 as never, amount: atoms(1n) } as const;
  return { seq: seq(at), at: millis(at), command, events: [] };
}

/** A heart that emits three commands and then nothing, and counts its subscribers. */
class ThreeCommands {
  isOver = false;
  listening = 0;
  readonly asked: Seq[] = [];

  async *subscribe(after: Seq): AsyncGenerator<readonly Applied[]> {
    this.asked.push(after);
    this.listening += 1;
    try {
      for (let at = after + 1; at <= 3; at += 1) yield [applied(at)];
      while (!this.isOver) {
        await pause(5);
        yield [];
      }
    } finally {
      this.listening -= 1;
    }
  }
}

test('after a failure history is read again from the written offset, and the failed subscription is closed', async () => {
  const heart = new ThreeCommands();
  const troubles: unknown[] = [];
  const folded: number[][] = [];
  let failures = 1;
  const reader = new HistoryReader<number[]>({
    heart,
    gathering: { begin: () => [], take: (piece, { seq: place }) => void piece.push(place) },
    fold: ({ piece, last }) => {
      failures -= 1;
      if (failures === 0) return Promise.reject(new Error('the database is gone'));
      folded.push(piece);
      return Promise.resolve(last);
    },
    onTrouble: (error) => troubles.push(error),
  });
  reader.start(seq(1));
  await reader.reached(seq(3));
  expect(troubles).toEqual([new Error('the database is gone')]);
  expect(heart.asked).toEqual([1, 1]);
  expect(folded.flat()).toEqual([2, 3]);
  await expect.poll(() => heart.listening).toBe(1);
  heart.isOver = true;
  await reader.stop();
  await expect.poll(() => heart.listening).toBe(0);
});

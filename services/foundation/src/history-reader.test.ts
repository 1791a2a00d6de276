import type { Applied } from '@orrery/protocol';
import { atoms, millis, type Seq, seq } from '@orrery/units';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HistoryReader, isToWrite } from './history-reader.ts';

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

/** Two commands, each by itself, and four together. A reader that begins a fourth time finds the end. */
class SixCommands {
  readonly asked: Seq[] = [];
  readonly #end = Promise.withResolvers<void>();

  async *subscribe(after: Seq): AsyncGenerator<readonly Applied[]> {
    this.asked.push(after);
    for (const batch of [[1], [2], [3, 4, 5, 6]]) yield batch.filter((at) => at > after).map(applied);
    if (this.asked.length <= 3) await this.#end.promise;
  }

  end(): void {
    this.#end.resolve();
  }
}

test('a piece that another process has written in part is read once more: up to there, and the rest when that is folded', async () => {
  const heart = new SixCommands();
  const troubles: unknown[] = [];
  const table = { seq: 4, rows: [] as number[] };
  const folded: number[][] = [];
  const taken: number[] = [];
  const reader = new HistoryReader<number[]>({
    heart,
    gathering: {
      begin: () => [],
      take(piece, { seq: place }) {
        piece.push(place);
        taken.push(place);
      },
    },
    async fold({ piece, last }, place) {
      // Meanwhile all is gathered that may be.
      while ((taken.at(-1) ?? 0) < 4) await nextTurn();
      await nextTurn();
      if (isToWrite('the table', table.seq, place)) {
        table.rows.push(...piece);
        table.seq = last;
      }
      folded.push(piece);
      return last;
    },
    onTrouble: (error) => troubles.push(error),
  });
  reader.start(seq(0));
  await expect.poll(() => folded.at(-1)?.at(-1)).toBe(6);
  expect(folded).toEqual([[1], [2], [3, 4], [5, 6]]);
  expect(heart.asked).toEqual([0, 1]);
  expect(table.rows).toEqual([5, 6]);
  expect(troubles).toEqual([]);
  heart.end();
  await reader.stop();
});

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Commands that arrive in groups of drawn sizes; every third one leaves a row. */
class DrawnHistory {
  readonly #random: () => number;
  readonly #most: number;

  constructor(most: number, random: () => number) {
    this.#most = most;
    this.#random = random;
  }

  async *subscribe(after: Seq): AsyncGenerator<readonly Applied[]> {
    for (let at = after + 1; at <= this.#most;) {
      const group = 1 + Math.floor(this.#random() * 9);
      yield Array.from({ length: Math.min(group, this.#most - at + 1) }, (_, of) => applied(at + of));
      at += group;
      await pause(Math.floor(this.#random() * 3));
    }
    await new Promise(() => undefined);
  }
}

test(`J1: of several readers on one table each has all of history in memory, and each row is written once (seed ${SEED})`, async () => {
  const MOST = 600;
  const random = seededRandom(SEED);
  const heart = new DrawnHistory(MOST, random);
  const table = { seq: 0, rows: [] as number[] };
  /** One transaction at a time has the row of the offset. */
  let turn: Promise<unknown> = Promise.resolve();
  const locked = async (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    await mine;
  };
  const troubles: unknown[] = [];
  const memories: number[][] = [];
  const readers = Array.from({ length: 3 }, () => {
    const memory: number[] = [];
    memories.push(memory);
    return new HistoryReader<number[]>({
      heart,
      gathering: {
        begin: () => [],
        take: (piece, { seq: place }) => {
          if (place % 3 === 0) piece.push(place);
        },
      },
      gatherMs: random() < 0.5 ? 0 : 4,
      async fold({ piece, last }, place) {
        if (piece.length === 0 && last - place.written < 40) return place.written;
        await locked(async () => {
          await pause(Math.floor(random() * 3));
          if (!isToWrite('the table', table.seq, place)) return;
          table.rows.push(...piece);
          table.seq = last;
          // The answer to a commit is lost.
          if (random() < 0.05) throw new Error('the connection is cut');
        });
        memory.push(...piece);
        return last;
      },
      onTrouble: (error) => troubles.push(error),
    });
  });
  for (const reader of readers) reader.start(seq(0));
  await Promise.all(readers.map((reader) => reader.reached(seq(MOST))));
  const expected = Array.from({ length: MOST / 3 }, (_, at) => 3 * (at + 1));
  expect(table.rows).toEqual(expected);
  for (const memory of memories) expect(memory).toEqual(expected);
  for (const trouble of troubles) expect(String(trouble)).toBe('Error: the connection is cut');
  await Promise.all(readers.map((reader) => reader.stop()));
}, 60_000);

import { expect, test } from 'vitest';
import { DiskRoom } from './disk-room.ts';
import type { Disk } from './disk.ts';
import type { Journal } from './journal.ts';

const journal = {} as Journal;

/** A room of a disk that answers what is listed, one answer a look; an error is thrown. */
function roomOf(answers: readonly (number | Error)[]): { isFull(): boolean; lines: string[] } {
  const lines: string[] = [];
  let looks = 0;
  const disk = {
    freeRatio() {
      const answer = answers[looks] ?? 1;
      looks += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as Partial<Disk> as Disk;
  const room = new DiskRoom({
    disk,
    directory: 'journal',
    clock: { wallMs: () => 0, monotonicMs: () => looks * 1_000 },
    minFreeRatio: 0.1,
    log: (line) => lines.push(line),
  });
  return { isFull: () => room.isFull(journal), lines };
}

test('only cancels are taken while too little of the disk is free', () => {
  const room = roomOf([0.5, 0.05, 0.05, 0.2]);
  expect([room.isFull(), room.isFull(), room.isFull(), room.isFull()]).toEqual([false, true, true, false]);
  expect(room.lines).toEqual([
    '5.0 % of the disk is free: only cancels are taken',
    '20.0 % of the disk is free: everything is taken again',
  ]);
});

test('a disk that does not tell what is free leaves things as they were, and is told of once', () => {
  const blind = new Error('EIO: statfs');
  const room = roomOf([0.5, blind, blind, 0.05, blind, 0.2]);
  expect([1, 2, 3, 4, 5, 6].map(() => room.isFull())).toEqual([false, false, false, true, true, false]);
  expect(room.lines.filter((line) => line.includes('can not be told'))).toHaveLength(2);
});

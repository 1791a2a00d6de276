import { expect, test } from 'vitest';
import { DiskRoom } from './disk-room.ts';
import type { Disk } from './disk.ts';
import type { Journal } from './journal.ts';

const journal = {} as Journal;

/** A room of a disk that has free what is listed, as a part of it, one answer a look; an error is thrown. */
function roomOf(
  answers: readonly (number | Error)[],
  totalBytes = 1e9,
): { isFull(): boolean; shortage(): string | undefined; lines: string[] } {
  const lines: string[] = [];
  let looks = 0;
  const disk = {
    freeSpace() {
      const answer = answers[looks] ?? 1;
      looks += 1;
      if (answer instanceof Error) throw answer;
      return { freeBytes: answer * totalBytes, totalBytes };
    },
  } as Partial<Disk> as Disk;
  const room = new DiskRoom({
    disk,
    directory: 'journal',
    clock: { wallMs: () => 0, monotonicMs: () => looks * 1_000 },
    limits: { minFreeRatio: 0.1, dayOfJournalBytes: 8e9 },
    log: (line) => lines.push(line),
  });
  return { isFull: () => room.isFull(journal), shortage: () => room.shortage(journal), lines };
}

test('only cancels are taken while too little of the disk is free', () => {
  const room = roomOf([0.5, 0.05, 0.05, 0.2]);
  expect([room.isFull(), room.isFull(), room.isFull(), room.isFull()]).toEqual([false, true, true, false]);
  expect(room.lines).toEqual([
    '0.05 GB of the disk are free: only cancels are taken until there are 0.10 GB. Remove files from the volume of the data folder, or enlarge it',
    '0.20 GB of the disk are free: everything is taken again',
  ]);
});

test('a disk without room is reported while it lasts, though no command arrives', () => {
  const room = roomOf([0.5, 0.05, 0.2]);
  const sentence = 'the disk of the journal is almost full: only cancels are taken until there is room';
  expect([room.shortage(), room.shortage(), room.shortage()]).toEqual([undefined, sentence, undefined]);
});

test('a large disk needs no more free than the journal of a day', () => {
  const room = roomOf([0.009, 0.007, 0.007, 0.0081], 1e12);
  expect([room.isFull(), room.isFull(), room.isFull(), room.isFull()]).toEqual([false, true, true, false]);
});

test('a disk whose free space cannot be read changes nothing, and is logged once', () => {
  const blind = new Error('EIO: statfs');
  const room = roomOf([0.5, blind, blind, 0.05, blind, 0.2]);
  expect([1, 2, 3, 4, 5, 6].map(() => room.isFull())).toEqual([false, false, false, true, true, false]);
  expect(room.lines.filter((line) => line.includes('cannot be read'))).toHaveLength(2);
});

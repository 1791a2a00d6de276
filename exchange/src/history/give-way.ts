/** Threads that nobody waits for leave the processor to those that somebody waits for. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** 0 is usual, 19 the least: where processors are short, those who wait for an answer go first. */
export const NICENESS = 10;

/** Of the thread that calls it. */
export function giveWay(): void {
  // On Linux a thread has a priority of its own, under its number in /proc; elsewhere it keeps the program's.
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICENESS);
}

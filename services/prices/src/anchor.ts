/** The minute at which the recorded month ends and its repetition begins: chosen at the first start, and stored with the data permanently. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Millis, millis } from '@orrery/units';
import { MINUTE_MS } from './loop.ts';

export interface AnchorStore {
  /** @returns the anchor that is kept; where there is none, `first`, which is kept from then on */
  keep(first: Millis): Promise<Millis>;
}

/** The kept anchor; at the first start the minute that has just begun. */
export const anchorOf = (store: AnchorStore, now: Millis): Promise<Millis> => store.keep(millis(now - (now % MINUTE_MS)));

/** Keeps the anchor in a file of its own. */
export const anchorFile = (path: string): AnchorStore => ({
  keep: async (first) => readAnchor(path) ?? writeAnchor(path, first),
});

/** @returns undefined where there is no such file. @throws Error where it holds something else */
export function readAnchor(path: string): Millis | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^[0-9]+\n$/.test(text) || value % MINUTE_MS !== 0) throw new Error(`${path} does not hold a whole minute`);
  return millis(value);
}

function writeAnchor(path: string, anchor: Millis): Millis {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.tmp`;
  const descriptor = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(descriptor, `${anchor}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  return anchor;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

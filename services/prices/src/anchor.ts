/** The minute at which the recorded month ends and its repetition begins: chosen at the first start, and stored with the data permanently. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { millis } from '@orrery/units';
import type { Millis } from '@orrery/units';
import { MINUTE_MS } from './loop.ts';

export interface AnchorStore {
  read(): Millis | undefined;
  write(anchor: Millis): void;
}

/** The kept anchor; at the first start the minute that has just begun. */
export function anchorOf(store: AnchorStore, now: Millis): Millis {
  const kept = store.read();
  if (kept !== undefined) return kept;
  const anchor = millis(now - (now % MINUTE_MS));
  store.write(anchor);
  return anchor;
}

/** Keeps the anchor in a file of its own. */
export function anchorFile(path: string): AnchorStore {
  return {
    read() {
      const text = readIfThere(path);
      if (text === undefined) return undefined;
      const value = Number(text);
      if (!/^[0-9]+\n$/.test(text) || value % MINUTE_MS !== 0) throw new Error(`${path} does not hold a whole minute`);
      return millis(value);
    },
    write(anchor) {
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
    },
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** The production engine, for everyone who makes one from history. */
import { randomInt } from 'node:crypto';
import { createEngine, decodeState, type Engine } from '@orrery/engine';

/** Of this process alone: no decision depends on it, so that another process replays history all the same. */
const options = { hashKey: { low: randomInt(2 ** 32), high: randomInt(2 ** 32) } };

export const ENGINES = {
  createEngine: (): Engine => createEngine(options),
  decodeState: (bytes: Uint8Array): Engine => decodeState(bytes, options),
};

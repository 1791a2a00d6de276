/** Engines whose commands may meet only a few orders, so that tests meet the bound often. */
import { engineOn, type Engine } from '../engine.ts';
import { emptyExchange } from '../exchange.ts';
import { restoreSnapshot } from '../snapshot/restore-snapshot.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';

export const boundedEngine = (fillsPerCommand: number): Engine => engineOn(emptyExchange(undefined, fillsPerCommand));

export const decodeBounded = (bytes: Uint8Array, fillsPerCommand: number): Engine =>
  engineOn(restoreSnapshot(decodeSnapshot(bytes), undefined, fillsPerCommand));

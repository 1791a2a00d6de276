/** History that is known beforehand: random commands of every kind with their times, and the state that each of them leads to. */
import { createHash } from 'node:crypto';
import { createEngine } from '@orrery/engine';
import type { Sequenced } from '@orrery/protocol';
import { RandomCommands } from '../../../core/engine/src/testing/random-commands.ts';

export interface Script {
  /** The command of seq 1 first. */
  readonly commands: readonly Sequenced[];
  /** By seq: the hash of the state after that command; at 0 that of the empty exchange. */
  readonly stateHashes: readonly string[];
}

/** Registering, opening and funding: what random commands begin with. */
export const OPENING = 57;

export function writeCommands(seed: number, count: number): readonly Sequenced[] {
  const random = new RandomCommands(seed, { upgrades: false });
  const engine = createEngine();
  return Array.from({ length: count }, () => {
    const sequenced = random.next();
    random.follow(sequenced, engine.apply(sequenced));
    return sequenced;
  });
}

export function writeScript(seed: number, count: number): Script {
  const commands = writeCommands(seed, count);
  const engine = createEngine();
  const stateHashes = [hashOf(engine.encodeState())];
  for (const sequenced of commands) {
    engine.apply(sequenced);
    stateHashes.push(hashOf(engine.encodeState()));
  }
  return { commands, stateHashes };
}

export const hashOf = (state: Uint8Array): string => createHash('sha256').update(state).digest('hex');

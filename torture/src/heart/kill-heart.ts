/** The heart in a child process, killed without warning in the middle of its work, restarted repeatedly on one folder. */
import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Context, Findings } from '../experiment.ts';
import { Reported, type Life } from './reported.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** How long after its first answer a life may last. */
const LONGEST_LIFE_MS = 30;
/** One process in this number is killed while it is still starting. */
const DIES_STARTING = 8;
const SHORTEST_START_MS = 40;
const LONGEST_START_MS = 250;

export async function killHeart({ directory, kills }: { directory: string; kills: number }, { seed, say }: Context): Promise<Findings> {
  const chance = new Chance(seed);
  const reported = new Reported();
  for (let life = 1; life <= kills; life += 1) {
    if (life % 100 === 0) say(`the heart alone: ${life} of ${kills}`);
    reported.take(await liveAndDie({ directory, seed: seed * 100_000 + life, unknown: reported.unknown }, chance), life);
  }
  const { last, checked, violations } = await reported.compareWith(directory);
  return { trials: kills, facts: { answers: reported.answers, 'commands in history': last, 'hashes compared': checked }, violations };
}

async function liveAndDie(options: WorkerOptions, chance: Chance): Promise<Life> {
  const worker = new Worker(options);
  if (chance.oneIn(DIES_STARTING)) await pause(chance.between(SHORTEST_START_MS, LONGEST_START_MS));
  else {
    await worker.answering;
    await pause(chance.between(0, LONGEST_LIFE_MS));
  }
  worker.kill();
  const { code, signal, stderr, ...life } = await worker.end;
  if (signal !== 'SIGKILL') throw new Error(`the heart ended by itself with ${String(code)} (seed ${options.seed}): ${stderr}`);
  return life;
}

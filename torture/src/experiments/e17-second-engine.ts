/** E17: a second engine is started by mistake on a folder that has one, and many at once on the folder of a dead one. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Context, Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { Reported } from '../heart/reported.ts';
import { Worker, type Ending } from '../heart/worker.ts';

const ROUNDS = { small: 2, large: 50 };
const CROWD = 4;
/** Another network namespace, from which the first one's name in the kernel is not seen: only the file in the folder shows the owner. */
const ELSEWHERE = ['unshare', '--net'];

export const secondEngine: Experiment = {
  id: 'E17',
  title: 'second engine on the same folder',
  mustHold: 'it is refused and changes nothing, the first goes on, and of many on the folder of a dead one exactly one gets it',
  async run(context) {
    return inFolder(async (folder) => {
      const directory = join(folder, 'history');
      const hasElsewhere = spawnSync('unshare', ['--net', 'true']).status === 0;
      const reported = new Reported();
      const violations: string[] = [];
      let trials = 0;
      for (let round = 1; round <= ROUNDS[context.dose]; round += 1) {
        const found = await mistake({ directory, round, reported, hasElsewhere }, context);
        trials += found.trials;
        violations.push(...found.violations.map((line) => `round ${round}: ${line} (seed ${context.seed})`));
      }
      const compared = await reported.compareWith(directory);
      return {
        trials,
        facts: {
          answers: reported.answers,
          'commands in history': compared.last,
          'in another network namespace': hasElsewhere ? 'yes' : 'not possible here',
        },
        violations: [...violations, ...compared.violations],
      };
    });
  },
};

interface Round {
  readonly directory: string;
  readonly round: number;
  readonly reported: Reported;
  readonly hasElsewhere: boolean;
}

async function mistake(
  { directory, round, reported, hasElsewhere }: Round,
  { seed }: Context,
): Promise<{ trials: number; violations: readonly string[] }> {
  const start = (number: number, under: readonly string[] = []): Worker =>
    new Worker({ directory, seed: seed * 100_000 + round * 100 + number, unknown: reported.unknown, under });
  const violations: string[] = [];
  const crowd = Array.from({ length: CROWD }, (_, number) => start(number));
  // The losers end by themselves; the one that is left answers.
  const first = await Promise.any(crowd.map(answers));
  const losers = await Promise.all(crowd.filter((worker) => worker !== first).map(endSoon));
  const late = await Promise.all([start(CROWD), ...(hasElsewhere ? [start(CROWD + 1, ELSEWHERE)] : [])].map(endSoon));
  for (const ending of losers) if (!isRefused(ending)) violations.push(`of ${CROWD} at once one was not refused: ${ending.stderr}`);
  for (const ending of late) {
    if (!isRefused(ending) || !ending.stderr.includes(`(pid ${first.pid})`))
      violations.push(`a second one was not refused: ${ending.stderr}`);
  }
  const before = first.answers;
  await goesOn(first, before);
  if (first.answers <= before) violations.push('the first one did not go on');
  first.kill();
  reported.take(await first.end, round);
  return { trials: losers.length + late.length, violations };
}

/** @throws when it ends without an answer. */
async function answers(worker: Worker): Promise<Worker> {
  await worker.answering;
  if (worker.answers === 0) throw new Error('it ended without an answer');
  return worker;
}

const isRefused = ({ begin, code, stderr }: Ending): boolean =>
  begin === undefined && code === 1 && stderr.includes('in use by another process');

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 10;

/** By itself, or it is ended: then it was not refused. */
async function endSoon(worker: Worker): Promise<Ending> {
  const timer = setTimeout(() => worker.kill(), PATIENCE_MS);
  const ending = await worker.end;
  clearTimeout(timer);
  return ending;
}

async function goesOn(worker: Worker, before: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (worker.answers <= before && performance.now() < deadline) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}

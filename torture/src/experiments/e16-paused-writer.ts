/** E16: a writer that stands still while another one, in namespaces of its own, opens the folder; then it wakes. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Context, Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { Reported } from '../heart/reported.ts';
import { Worker, type Ending } from '../heart/worker.ts';

const ROUNDS = { small: 6, large: 300 };
/** Network and process namespaces of its own: neither the name in the kernel nor the process of the other one is seen there. */
const ELSEWHERE = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

export const pausedWriter: Experiment = {
  id: 'E16',
  title: 'a writer paused, and another in other namespaces',
  mustHold: 'the one that wakes stops and acknowledges nothing that is not in history; nothing that either acknowledged is lost',
  async run(context) {
    if (spawnSync('unshare', [...ELSEWHERE.slice(1), 'true']).status !== 0)
      return {
        trials: 0,
        facts: { namespaces: 'not possible here' },
        violations: ['process namespaces cannot be made here: run it as root'],
      };
    return inFolder(async (folder) => {
      const directory = join(folder, 'history');
      const reported = new Reported();
      const violations: string[] = [];
      for (let round = 1; round <= ROUNDS[context.dose]; round += 1) {
        const found = await takeOver({ directory, round, reported }, context);
        violations.push(...found.map((line) => `round ${round}: ${line} (seed ${context.seed})`));
      }
      const compared = await reported.compareWith(directory);
      return {
        trials: ROUNDS[context.dose],
        facts: { answers: reported.answers, 'commands in history': compared.last },
        violations: [...violations, ...compared.violations],
      };
    });
  },
};

interface Round {
  readonly directory: string;
  readonly round: number;
  readonly reported: Reported;
}

/** In every other round the first one is not paused: both are at work. */
async function takeOver({ directory, round, reported }: Round, { seed }: Context): Promise<readonly string[]> {
  const isPaused = round % 2 === 1;
  const first = new Worker({ directory, seed: seed * 1_000 + round * 2, unknown: reported.unknown });
  await first.answering;
  if (first.answers === 0) return [`the first one did not answer: ${(await first.end).stderr}`];
  if (isPaused) first.signal('SIGSTOP');
  const second = new Worker({ directory, seed: seed * 1_000 + round * 2 + 1, unknown: first.unanswered, under: ELSEWHERE });
  await second.answering;
  if (isPaused) first.signal('SIGCONT');
  const ending = await endSoon(first);
  reported.take(ending, round * 2 - 1);
  const violations: string[] = [];
  if (!isDeposed(ending)) violations.push(`the first one was not deposed: ${ending.stderr}`);
  if (second.answers === 0) violations.push(`the second one did not answer: ${(await second.end).stderr}`);
  second.kill();
  reported.take(await second.end, round * 2);
  return violations;
}

const isDeposed = ({ signal, code, stderr }: Ending): boolean =>
  signal === null && code !== 0 && stderr.includes('another process has opened the journal');

const PATIENCE_MS = 10_000;

async function endSoon(worker: Worker): Promise<Ending> {
  const timer = setTimeout(() => worker.kill(), PATIENCE_MS);
  const ending = await worker.end;
  clearTimeout(timer);
  return ending;
}

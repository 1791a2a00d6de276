/** E2: the process dies on its way into each call that touches the disk, one run for each. */
import { join } from 'node:path';
import { atOnce } from '../at-once.ts';
import type { Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { everyCall, playOpening, runWithFault, type CallPoint, type Plan } from '../heart/faulty-run.ts';
import { checkRecovered } from '../heart/recovered.ts';
import { OPENING, writeScript } from '../heart/script.ts';
import { straceTrouble } from '../heart/strace.ts';

const DISK_CALLS = ['fdatasync', 'pwrite64', 'rename', 'fsync', 'unlink'];
/** Reports the answers: a kill there lies between the sync and the answer. Threads are woken by it too, in some runs more often than in others. */
const ANSWER_CALL = 'write';
const CALLS = { small: DISK_CALLS, large: [...DISK_CALLS, ANSWER_CALL] };
const FIRST_START = { small: 3, large: 20 };
const GOING_ON = { small: 20, large: 400 };
const AT_ONCE = 2;

export const killAtEveryCall: Experiment = {
  id: 'E2',
  title: 'kill -9 at every fdatasync, write and rename',
  mustHold: 'no answered command is lost, and what is recovered is the beginning of what was written',
  async run({ dose, seed, say }) {
    const notRun = straceTrouble();
    if (notRun !== undefined) return { trials: 0, facts: {}, violations: [], notRun };
    return inFolder(async (folder) => {
      const before = join(folder, 'before');
      await playOpening(before, seed);
      const plans: readonly Plan[] = [
        { name: 'first start', seed, script: writeScript(seed, FIRST_START[dose]), before: undefined },
        { name: 'going on', seed, script: writeScript(seed, OPENING + GOING_ON[dose]), before },
      ];
      const violations: string[] = [];
      const facts: Record<string, number> = { commands: FIRST_START[dose] + GOING_ON[dose] };
      let trials = 0;
      for (const plan of plans) {
        const points = await everyCall(plan, CALLS[dose]);
        say(`${plan.name}: ${points.length} calls to be killed at`);
        const found = await atOnce(AT_ONCE, points, (point, index) => {
          if (index % 100 === 99) say(`${plan.name}: ${index + 1} of ${points.length}`);
          return killAt(plan, point);
        });
        violations.push(...found.flatMap((one) => one.violations));
        for (const { call } of found.filter(({ killed }) => killed)) {
          facts[call] = (facts[call] ?? 0) + 1;
          trials += 1;
        }
      }
      return { trials, facts, violations };
    });
  },
};

interface Found {
  readonly call: string;
  readonly killed: boolean;
  readonly violations: readonly string[];
}

function killAt(plan: Plan, point: CallPoint): Promise<Found> {
  const { name, script, seed } = plan;
  const { call, nth } = point;
  const what = `${name}, killed at ${call} ${nth} (seed ${seed})`;
  return runWithFault(plan, { point, fault: 'signal=SIGKILL' }, async ({ directory, ending: { acked, code, signal, stderr } }) => {
    // strace ends as the process under it did: by the same signal.
    const killed = signal === 'SIGKILL';
    const mayEnd = call === ANSWER_CALL && code === 0;
    const violations = killed || mayEnd ? [] : [`${what}: it was not killed, but ended with ${String(code)}: ${stderr}`];
    const recovered = await checkRecovered({ directory, script, acked: Math.max(0, ...acked), what });
    return { call, killed, violations: [...violations, ...recovered.violations] };
  });
}

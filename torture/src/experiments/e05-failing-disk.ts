/** E5: the disk fails once, at each sync and write in turn. What it took after a failed sync is not known, so nothing may be built on it. */
import { join } from 'node:path';
import { atOnce } from '../at-once.ts';
import type { Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { everyCall, playOpening, runWithFault, type CallPoint, type Plan } from '../heart/faulty-run.ts';
import { checkRecovered } from '../heart/recovered.ts';
import { OPENING, writeScript } from '../heart/script.ts';
import { readTrace, straceTrouble, type TracedCall } from '../heart/strace.ts';

const CALLS = ['fdatasync', 'pwrite64', 'fsync'];
const COMMANDS = { small: 14, large: 400 };
const AT_ONCE = 2;
const STDOUT = 1;

export const failingDisk: Experiment = {
  id: 'E5',
  title: 'EIO from one fdatasync, write or fsync',
  mustHold: 'the process ends at once, answers and writes nothing more, and the next start loses no answered command',
  async run({ dose, seed, say }) {
    const notRun = straceTrouble();
    if (notRun !== undefined) return { trials: 0, facts: {}, violations: [], notRun };
    return inFolder(async (folder) => {
      const before = join(folder, 'before');
      await playOpening(before, seed);
      const plan: Plan = { name: 'EIO', seed, script: writeScript(seed, OPENING + COMMANDS[dose]), before };
      const points = await everyCall(plan, CALLS);
      say(`${points.length} calls to fail`);
      const found = await atOnce(AT_ONCE, points, (point, index) => {
        if (index % 100 === 99) say(`${index + 1} of ${points.length}`);
        return failAt(plan, point);
      });
      const ofJournal = found.filter(({ stops }) => stops).length;
      return {
        trials: points.length,
        facts: { 'in the journal': ofJournal, 'in spare files and snapshots': points.length - ofJournal },
        violations: found.flatMap(({ violations }) => violations),
      };
    });
  },
};

interface Found {
  /** The call was about the journal itself, so the process had to stop. */
  readonly stops: boolean;
  readonly violations: readonly string[];
}

function failAt(plan: Plan, point: CallPoint): Promise<Found> {
  const { script, seed } = plan;
  const what = `EIO from ${point.call} ${point.nth} (seed ${seed})`;
  return runWithFault(plan, { point, fault: 'error=EIO', watched: [...CALLS, 'rename', 'write'] }, async ({ directory, log, ending }) => {
    const trace = readTrace(log);
    const at = trace.findIndex(({ injected }) => injected);
    const failed = trace[at];
    const stops = failed !== undefined && (isSegment(failed) || isNewSegment(trace.slice(0, at), failed));
    const violations = [
      ...(failed === undefined ? [`${what}: it never came`] : []),
      ...(stops && ending.code === 0 ? [`${what}: the process was to stop, and went on to its end`] : []),
      ...(stops
        ? trace
            .slice(at + 1)
            .filter(isForbidden)
            .map(({ call, path }) => `${what}: ${call} of ${path} came after it`)
        : []),
    ];
    const recovered = await checkRecovered({ directory, script, acked: Math.max(0, ...ending.acked), what });
    return { stops, violations: [...violations, ...recovered.violations] };
  });
}

/** A spare file or a snapshot that fails is thrown away, and history goes on without. */
const isSegment = ({ path }: TracedCall): boolean => path.endsWith('.segment');

/** The folder was to keep the name of a segment: the last one that a file in it was given. */
function isNewSegment(before: readonly TracedCall[], { call, path }: TracedCall): boolean {
  return (
    call === 'fsync' &&
    path.endsWith('/journal') &&
    before.findLast((earlier) => earlier.call === 'rename')?.path.endsWith('.segment') === true
  );
}

const isForbidden = (call: TracedCall): boolean => isSegment(call) || (call.call === 'write' && call.descriptor === STDOUT);

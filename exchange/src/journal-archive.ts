/** Packs old segments of the journal of this process, in a thread of its own and one at a time. What it does and what a crash leaves: `@orrery/sequencer`. */
import { type Lease, repeat, WorkerThread } from '@orrery/foundation';
import { historyDirectory } from './start-heart.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

/** A lively exchange fills a segment in minutes, an idle one in hours; a row of the shared journal in twenty seconds at most. */
const LOOK_MS = 60_000;

export type PackQuestion = { readonly directory: string };
/** The path of what was packed; undefined when there is nothing to pack. */
export type PackAnswer = { readonly packed: string | undefined };

/** The folder is this process's own, so this needs no lease. */
export function startJournalArchive(surroundings: Surroundings): void {
  const { config } = surroundings;
  if (config.oldJournal !== 'archive') return;
  const thread = new WorkerThread<PackQuestion, PackAnswer>({
    module: new URL('./journal-archive-worker.ts', import.meta.url),
    name: 'archive',
  });
  const question = { directory: historyDirectory(config.dataDirectory) };
  packInSteps(surroundings, {
    name: 'the archive of the journal',
    lease: undefined,
    step: async () => (await thread.ask(question)).packed,
    // A step that is cut short is taken again at the next start.
    end: () => thread.close(),
  });
}

interface Packing {
  readonly name: string;
  /** Undefined: what is packed is this process's own. */
  readonly lease: Lease | undefined;
  /** Packs the oldest that is to be packed. @returns what that was; undefined when there is nothing */
  readonly step: () => Promise<string | undefined>;
  /** Cuts a step short. */
  readonly end: () => Promise<void>;
}

/** Now and from time to time, as many steps as there are. */
export function packInSteps(surroundings: Surroundings, { name, lease, step, end }: Packing): void {
  const stopping = new AbortController();
  const packing = repeat({
    every: LOOK_MS,
    lease,
    atOnce: true,
    async work() {
      while (!stopping.signal.aborted) {
        const packed = await step();
        if (packed === undefined) return;
        surroundings.log.info({ part: 'archive' }, `${packed} is packed`);
      }
    },
    onTrouble(error) {
      if (!stopping.signal.aborted) troubleOf(surroundings, 'archive')(error);
    },
  });
  surroundings.closing.add({
    name,
    async stop() {
      stopping.abort();
      await end();
      await packing.stop();
    },
  });
}

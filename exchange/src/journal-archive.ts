/** Packs old segments of the journal of this process, in a thread of its own and one at a time. What it does and what a crash leaves: `@orrery/sequencer`. */
import { repeat, WorkerThread } from '@orrery/foundation';
import { historyDirectory } from './start-heart.ts';
import { type Surroundings, troubleOf } from './surroundings.ts';

/** A lively exchange fills a segment in minutes, an idle one in hours. */
const LOOK_MS = 60_000;

export type PackQuestion = { readonly directory: string };
/** The path of what was packed; undefined when there is nothing to pack. */
export type PackAnswer = { readonly packed: string | undefined };

/** The folder is this process's own, so this needs no lease. */
export function startJournalArchive(surroundings: Surroundings): void {
  const { config, closing, log } = surroundings;
  if (config.oldJournal !== 'archive') return;
  const thread = new WorkerThread<PackQuestion, PackAnswer>({
    module: new URL('./journal-archive-worker.ts', import.meta.url),
    name: 'archive',
  });
  const question = { directory: historyDirectory(config.dataDirectory) };
  const stopping = new AbortController();
  const packing = repeat({
    every: LOOK_MS,
    lease: undefined,
    atOnce: true,
    async work() {
      while (!stopping.signal.aborted) {
        const { packed } = await thread.ask(question);
        if (packed === undefined) return;
        log.info({ part: 'archive' }, `${packed} is packed`);
      }
    },
    onTrouble(error) {
      if (!stopping.signal.aborted) troubleOf(surroundings, 'archive')(error);
    },
  });
  closing.add({
    name: 'the archive of the journal',
    async stop() {
      stopping.abort();
      // A step that is cut short is taken again at the next start.
      await thread.close();
      await packing.stop();
    },
  });
}

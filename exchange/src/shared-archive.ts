/** Packs the oldest frames of the journal in PostgreSQL: one process at a time, in a thread of its own, and one row at a time. */
import { type LeasePort, repeat, WorkerThread } from '@orrery/foundation';
import { type Surroundings, troubleOf } from './surroundings.ts';
import { openStore } from './journal/open-shared.ts';
import type { PackTerms, PostgresStore } from './journal/postgres-store.ts';

/** At a thousand commands a second a row is filled in twenty seconds. */
const LOOK_MS = 60_000;
/** Some hours of an idle exchange, minutes of a lively one: who follows it reads no packed row. */
const TERMS: PackTerms = { kept: 500_000, frames: 10_000, bytes: 2 << 20 };

export type SegmentQuestion = { readonly segment: Uint8Array };
export type SegmentAnswer = { readonly packed: Uint8Array };

/** Does nothing where the journal is a folder: `startJournalArchive` packs that, and each process's copy of this one. */
export async function startSharedArchive(surroundings: Surroundings, leases: LeasePort, terms = TERMS): Promise<void> {
  const { config, closing, log } = surroundings;
  const { journal: url = 'file', journalWithoutStandby: withoutStandby, oldJournal } = config;
  if (url === 'file' || oldJournal !== 'archive') return;
  const lease = await leases.open('archive of the journal');
  const thread = new WorkerThread<SegmentQuestion, SegmentAnswer>({
    module: new URL('./shared-archive-worker.ts', import.meta.url),
    name: 'archive',
  });
  let store: PostgresStore | undefined;
  const stopping = new AbortController();
  const packing = repeat({
    every: LOOK_MS,
    lease,
    atOnce: true,
    async work() {
      // The connections are those of this work alone: what it does must not break those of who leads or follows.
      store ??= await openStore({ url, withoutStandby }, surroundings);
      while (!stopping.signal.aborted) {
        const last = await store.packOldest(terms, async (segment) => (await thread.ask({ segment })).packed);
        if (last === undefined) return;
        log.info({ part: 'archive' }, `the journal is packed up to command ${last}`);
      }
    },
    onTrouble(error) {
      if (!stopping.signal.aborted) troubleOf(surroundings, 'archive')(error);
    },
  });
  closing.add({
    name: 'the archive of the shared journal',
    async stop() {
      stopping.abort();
      // A row that is cut short is packed again by who does it next.
      await thread.close();
      await packing.stop();
      await store?.close();
    },
  });
}

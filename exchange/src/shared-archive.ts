/** Packs the oldest frames of the journal in PostgreSQL: one process at a time, in a thread of its own, and one row at a time. */
import { type LeasePort, WorkerThread } from '@orrery/foundation';
import { openStore } from './journal/open-shared.ts';
import type { PackTerms, PostgresStore } from './journal/postgres-store.ts';
import { packInSteps } from './journal-archive.ts';
import type { Surroundings } from './surroundings.ts';

/** Some hours of an idle exchange, minutes of a lively one: who follows it reads no packed row. */
const TERMS: PackTerms = { kept: 500_000, frames: 10_000, bytes: 2 << 20 };

export type SegmentQuestion = { readonly segment: Uint8Array };
export type SegmentAnswer = { readonly packed: Uint8Array };

/** Does nothing where the journal is a folder: `startJournalArchive` packs that, and each process's copy of this one. */
export async function startSharedArchive(surroundings: Surroundings, leases: LeasePort, terms = TERMS): Promise<void> {
  const { journal: url = 'file', journalWithoutStandby: withoutStandby, oldJournal } = surroundings.config;
  if (url === 'file' || oldJournal !== 'archive') return;
  const lease = await leases.open('archive of the journal');
  const thread = new WorkerThread<SegmentQuestion, SegmentAnswer>({
    module: new URL('./shared-archive-worker.ts', import.meta.url),
    name: 'archive',
  });
  let store: PostgresStore | undefined;
  packInSteps(surroundings, {
    name: 'the archive of the shared journal',
    lease,
    async step() {
      // The connections are those of this work alone: what it does must not break those of who leads or follows.
      store ??= await openStore({ url, withoutStandby }, surroundings);
      const last = await store.packOldest(terms, async (segment) => (await thread.ask({ segment })).packed);
      return last === undefined ? undefined : `the journal up to command ${last}`;
    },
    // A row that is cut short is packed again by who does it next.
    async end() {
      await thread.close();
      await store?.close();
    },
  });
}

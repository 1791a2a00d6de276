/** For tests: the leases of two processes on one database. What passes, passes for the database and for both; renewals are as in the program. */
import { leaseMigrations, Leases, type LeaseTables, sqlLeases } from '@orrery/foundation';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts';

const TERMS = { termMs: 20_000, marginMs: 5_000, renewMs: 4_000 };

export class LeasedProcess {
  readonly leases: Leases;
  /** Stands still: neither its leases are renewed, nor its clock read. Another process is not reached by it. */
  isKilled = false;
  clockMs = 0;

  constructor(name: string, db: Parameters<typeof sqlLeases>[0]) {
    this.leases = new Leases({
      store: sqlLeases(db),
      holder: name,
      place: name,
      monotonicMs: () => this.clockMs,
      onTrouble: (error) => {
        throw error;
      },
      // Renewed by `pass`.
      timer: () => () => undefined,
      terms: TERMS,
    });
  }
}

export interface TwoProcesses<Tables = object> {
  /** With the tables of the leases. */
  readonly db: TemporaryDatabase<Tables & LeaseTables>;
  readonly one: LeasedProcess;
  readonly other: LeasedProcess;
  /** Seconds pass: a process that is alive renews every four of them. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** @param migrations of further tables of theirs */
export async function twoProcesses<Tables = object>(migrations: Readonly<Record<string, Migration>> = {}): Promise<TwoProcesses<Tables>> {
  const db = await temporaryDatabase<Tables & LeaseTables>({ ...leaseMigrations, ...migrations });
  const ofLeases = db.sql as unknown as Parameters<typeof sqlLeases>[0];
  const [one, other] = [new LeasedProcess('one', ofLeases), new LeasedProcess('other', ofLeases)];
  let passed = 0;
  return {
    db,
    one,
    other,
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        passed += 1;
        await sql`update foundation_lease set expires = expires - interval '1 second'`.execute(db.sql);
        for (const each of [one, other]) {
          each.clockMs += 1_000;
          const isWaiting = each.leases.held().some(({ isHeld }) => !isHeld);
          // As in the program: a process that waits looks again when the lease ends.
          if (!each.isKilled && (isWaiting || (passed * 1_000) % TERMS.renewMs === 0)) await each.leases.renew();
        }
      }
    },
    close: () => db.close(),
  };
}

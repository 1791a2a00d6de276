/** The leases of this process: of all that work on one database, one does each kind of background work. */
import { randomUUID } from 'node:crypto';
import { Leases, type LeaseStore, type LeaseTables, sqlLeases } from '@orrery/foundation';
import { placeOf } from './place.ts';
import type { StartedDatabase } from './start-database.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';

/** The journal must be open: what ran in this data folder before is deposed by it, so its leases are taken over at once and not at their end. */
export function startLeases(surroundings: Surroundings, database: Pick<StartedDatabase, 'of'>): Leases {
  const place = placeOf(surroundings.config.dataDirectory);
  const leases = new Leases({
    store: surroundings.config.accepts === 'everything' ? sqlLeases(database.of<LeaseTables>()) : NOBODYS,
    holder: `${place}${randomUUID()}`,
    place,
    monotonicMs: () => performance.now(),
    onTrouble: troubleOf(surroundings, 'leases'),
  });
  surroundings.closing.add({ name: 'the leases', stop: () => leases.stop() });
  return leases;
}

/** Where nothing changes nobody works. */
const NOBODYS: LeaseStore = {
  renew: () => Promise.resolve([]),
  endsIn: () => Promise.resolve(undefined),
  release: () => Promise.resolve(),
};

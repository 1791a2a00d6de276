/** What a process of the exchange does: its role is all of it, or some. */
import { type Lease, type LeasePort, noLease } from '@orrery/foundation';
import { HISTORY_LEASE } from './history/thread-messages.ts';

/** Beside the heart. */
const FOLLOWERS = ['gateway', 'worker', 'projector', 'market-maker'] as const;

export type Duty = 'heart' | (typeof FOLLOWERS)[number];
export type Duties = ReadonlySet<Duty>;

const FOLLOWER = `(${FOLLOWERS.join('|')})`;

/** Of the setting. A heart stands alone, or does everything. */
export const ROLE_PATTERN = `^(all|heart|${FOLLOWER}(,${FOLLOWER})*)$`;

/** @param role as `ROLE_PATTERN` says */
export const dutiesOf = (role: string): Duties =>
  new Set(role === 'all' ? (['heart', ...FOLLOWERS] as const) : (role.split(',') as readonly Duty[]));

/** Whether a process can have a database for itself: then nobody else does what it leaves out. */
export const isWhole = (role: string): boolean =>
  role === 'heart' || ['gateway', 'worker', 'projector'].every((duty) => dutiesOf(role).has(duty as Duty));

/** Of the kinds of background work; the others are the worker's. */
const DUTY_OF: Readonly<Record<string, Duty>> = {
  [HISTORY_LEASE]: 'projector',
  'market-maker': 'market-maker',
  'managers of funds': 'market-maker',
};

/** The leases of a process: it asks for those of its duties, and never holds another. */
export const leasesOfDuties = (leases: LeasePort, duties: Duties): LeasePort => ({
  open: (kind): Promise<Lease> => (duties.has(DUTY_OF[kind] ?? 'worker') ? leases.open(kind) : Promise.resolve(noLease(kind))),
});

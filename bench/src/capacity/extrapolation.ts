/** What the slopes say of ten million accounts and of 100,000 orders a second: sums that a reader can check by hand. */
import { rounded, whole } from '../measure.ts';
import type { Line } from './line.ts';

/** By kind, then by reading. */
export type Slopes = Readonly<Record<string, Readonly<Record<string, Line>>>>;

export interface Sum {
  readonly what: string;
  /** The sum with its terms. */
  readonly sum: string;
  /** What results, in the unit that `sum` ends with. */
  readonly value: number;
}

export const ACCOUNTS = 10_000_000;
export const COMMANDS_PER_SECOND = 100_000;
/** One account in ten has an open order, one in a hundred a stream. */
const RESTING = ACCOUNTS / 10;
const SOCKETS = ACCOUNTS / 100;
/** What `readFileSync` of Node takes at once: a snapshot is read whole. */
export const FILE_BYTES_MAX = 2 ** 31 - 1;
/** A gateway with a million accounts is to be ready within this. */
const READY = { accounts: 1_000_000, seconds: 20 };
/** `connectionsPerNode` of the gateway's limits. */
const SOCKETS_PER_GATEWAY = 5_000;
const DAY_SECONDS = 86_400;
const [GB, TB, MICROS] = [1e9, 1e12, 1e6];

interface Term {
  readonly what: string;
  /** Kind and reading. */
  readonly of: readonly [kind: string, reading: string];
  readonly sum: (line: Line) => { readonly text: string; readonly value: number };
}

/** `intercept + slope x count`, in units of `unit`. */
const grown =
  (count: number, unit: number, name: string): Term['sum'] =>
  ({ slope, intercept }) => {
    const value = (intercept + slope * count) / unit;
    return {
      text: `${rounded(intercept / unit, 2)} + ${whole(count)} x ${figure(slope)} / ${unit.toExponential()} = ${rounded(value, 1)} ${name}`,
      value,
    };
  };

/** The count at which `most` is reached. */
const end =
  (most: number, name: string): Term['sum'] =>
  ({ slope, intercept }) => {
    const value = (most - intercept) / slope;
    return { text: `(${whole(most)} - ${whole(intercept)}) / ${figure(slope)} = ${whole(value)} ${name}`, value };
  };

/** Of a part that has one processor. */
const perProcessor: Term['sum'] = ({ slope }) => {
  const value = MICROS / slope;
  return { text: `1,000,000 / ${figure(slope)} = ${whole(value)} commands a second of one processor`, value };
};

const processors: Term['sum'] = ({ slope }) => {
  const value = (slope * COMMANDS_PER_SECOND) / MICROS;
  return { text: `${whole(COMMANDS_PER_SECOND)} x ${figure(slope)} / 1,000,000 = ${rounded(value, 1)} processors`, value };
};

const day: Term['sum'] = ({ slope }) => {
  const value = (slope * COMMANDS_PER_SECOND * DAY_SECONDS) / TB;
  return { text: `${whole(COMMANDS_PER_SECOND)} x ${whole(DAY_SECONDS)} x ${figure(slope)} / 1e12 = ${rounded(value, 2)} TB a day`, value };
};

const perThousand: Term['sum'] = ({ slope }) => ({ text: `1,000 x ${figure(slope)} = ${whole(slope * 1_000)}`, value: slope * 1_000 });

const figure = (value: number): string => String(rounded(value, Math.abs(value) < 10 ? 3 : 1));

const TERMS: readonly Term[] = [
  { what: 'engine, heap at 10 M accounts', of: ['heart-account', 'heapBytes'], sum: grown(ACCOUNTS, GB, 'GB') },
  { what: 'engine, heap of 1 M resting orders', of: ['heart-order', 'heapBytes'], sum: grown(RESTING, GB, 'GB') },
  { what: 'snapshot at 10 M accounts', of: ['heart-account', 'stateBytes'], sum: grown(ACCOUNTS, GB, 'GB') },
  { what: 'accounts at which a snapshot can not be read whole', of: ['heart-account', 'stateBytes'], sum: end(FILE_BYTES_MAX, 'accounts') },
  { what: 'one encoding of the state at 10 M accounts', of: ['heart-account', 'encodeMicros'], sum: grown(ACCOUNTS, MICROS, 's') },
  { what: 'gateway, heap at 10 M accounts', of: ['gateway-account', 'heapBytes'], sum: grown(ACCOUNTS, GB, 'GB') },
  { what: 'gateway, heap of 1 M resting orders', of: ['gateway-order', 'heapBytes'], sum: grown(RESTING, GB, 'GB') },
  {
    what: 'gateway, processor until ready with 1 M accounts',
    of: ['gateway-account', 'processorMicros'],
    sum: grown(READY.accounts, MICROS, 's'),
  },
  {
    what: 'gateway, processor until ready with 10 M accounts',
    of: ['gateway-account', 'processorMicros'],
    sum: grown(ACCOUNTS, MICROS, 's'),
  },
  {
    what: 'accounts with which a gateway is ready in 20 s of processor',
    of: ['gateway-account', 'processorMicros'],
    sum: end(READY.seconds * MICROS, 'accounts'),
  },
  { what: 'gateways, heap of 5,000 sockets', of: ['gateway-socket', 'heapBytes'], sum: grown(SOCKETS_PER_GATEWAY, GB, 'GB') },
  {
    what: 'gateways, heap of 100,000 sockets in all',
    of: ['gateway-socket', 'heapBytes'],
    sum: ({ slope }) => grown(SOCKETS, GB, 'GB')({ slope, intercept: 0, off: 0 }),
  },
  { what: 'engine', of: ['heart-flow', 'processorMicros'], sum: perProcessor },
  { what: 'engine at 100,000 a second', of: ['heart-flow', 'processorMicros'], sum: processors },
  { what: 'each gateway, following', of: ['gateway-flow', 'processorMicros'], sum: perProcessor },
  { what: 'each gateway at 100,000 a second, following', of: ['gateway-flow', 'processorMicros'], sum: processors },
  { what: 'projector', of: ['stored', 'projectorMicros'], sum: perProcessor },
  { what: 'projector at 100,000 a second', of: ['stored', 'projectorMicros'], sum: processors },
  { what: 'PostgreSQL, one connection that writes', of: ['stored', 'postgresMicros'], sum: perProcessor },
  { what: 'PostgreSQL at 100,000 a second', of: ['stored', 'postgresMicros'], sum: processors },
  { what: 'journal at 100,000 a second', of: ['stored', 'journalBytes'], sum: day },
  { what: 'journal, packed, at 100,000 a second', of: ['stored', 'packedBytes'], sum: day },
  { what: 'tables at 100,000 a second', of: ['stored', 'tableBytes'], sum: day },
  { what: 'indexes at 100,000 a second', of: ['stored', 'indexBytes'], sum: day },
  { what: 'bytes of tables of 1,000 commands', of: ['stored', 'tableBytes'], sum: perThousand },
  { what: 'bytes of indexes of 1,000 commands', of: ['stored', 'indexBytes'], sum: perThousand },
];

/** Only of what was measured at two counts or more. */
export const extrapolation = (slopes: Slopes): readonly Sum[] =>
  TERMS.flatMap(({ what, of: [kind, reading], sum }) => {
    const line = slopes[kind]?.[reading];
    if (line === undefined) return [];
    const { text, value } = sum(line);
    return [{ what, sum: text, value }];
  });

/** Whether everything runs, where history stands, and what a client must know of this installation. */
import type { ClientConfig, Handlers, Status, statusRoutes } from '@orrery/api';
import type { Heart } from '@orrery/protocol';
import type { Attendance } from './attendance.ts';
import type { Floor } from './floor.ts';
import type { Part } from './ports.ts';

export interface StatusPorts {
  readonly heart: Heart;
  readonly floor: Floor;
  readonly config: () => ClientConfig;
  readonly version: string;
  readonly parts: readonly Part[];
  readonly stream: { readonly count: number; readonly isWatched: boolean };
  readonly attendance: Pick<Attendance, 'quoteMovePpm'>;
  readonly disk?: DiskUse;
  readonly now: () => number;
}

/** What the exchange takes of its disk; null before it is measured. */
export type DiskUse = () => Status['disk'];

export interface PartState {
  readonly name: string;
  readonly ready: boolean;
  /** Why it is not; empty when it is. */
  readonly detail: string;
}

export const statesOf = (parts: readonly Part[]): PartState[] =>
  parts.map((part) => {
    const detail = part.unready();
    return { name: part.name, ready: detail === undefined, detail: detail ?? '' };
  });

export function statusHandlers({
  heart,
  floor,
  config,
  version,
  parts,
  stream,
  attendance,
  disk,
  now,
}: StatusPorts): Handlers<typeof statusRoutes> {
  const startedAt = now();
  return {
    status: () => {
      const { seq, stateHash, stateHashSeq, clockAheadMs } = heart.status();
      const reported = statesOf(parts);
      return {
        ready: reported.every(({ ready }) => ready) && floor.isFollowing,
        version,
        seq,
        stateHash,
        stateHashSeq,
        clockAheadMs,
        uptimeMs: now() - startedAt,
        time: now(),
        connections: stream.count,
        quoteMovePpm: attendance.quoteMovePpm(stream.isWatched),
        disk: disk?.() ?? null,
        parts: reported,
      };
    },
    config,
  };
}

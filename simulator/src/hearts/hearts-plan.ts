/** What a seed draws for several hearts: how many, how wrong their clocks are, and all faults as a list. */
import { Chance } from '../chance.ts';
import type { Skew } from './process.ts';
import type { PrimaryLoss } from './servers.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Milliseconds since the beginning. */
export type HeartsFault =
  /** `who`: the name of a machine, or `LEADER` or `HOLDER`. */
  | { readonly kind: 'kill'; readonly at: number; readonly who: string; readonly downMs: number }
  /** The heart that leads dies when the store has taken the next frame, and before it hears of that. */
  | { readonly kind: 'deathAtAppend'; readonly at: number; readonly who: typeof LEADER; readonly downMs: number }
  | { readonly kind: 'pause'; readonly at: number; readonly who: string; readonly forMs: number }
  | { readonly kind: 'cutFromStore'; readonly at: number; readonly who: string; readonly forMs: number }
  | { readonly kind: 'cutFromNats'; readonly at: number; readonly who: string; readonly forMs: number }
  | ({ readonly kind: 'primaryLost'; readonly at: number } & PrimaryLoss)
  | { readonly kind: 'natsDown'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'clockJump'; readonly at: number; readonly who: string; readonly byMs: number };

/** The machine whose heart leads when the fault comes. */
export const LEADER = 'the leader';
/** The machine whose worker holds the lease then. */
export const HOLDER = 'the holder';

export interface HeartsPlan {
  readonly hearts: readonly string[];
  readonly gateways: readonly string[];
  readonly workers: readonly string[];
  readonly skews: ReadonlyMap<string, Skew>;
  /** By which the clocks of the servers of the database are ahead, in milliseconds. */
  readonly serverClocksMs: readonly number[];
  readonly faults: readonly HeartsFault[];
}

/** Faults begin when the exchange is open. */
export const OPENED_MS = 20 * SECOND;
/** In the mean. */
const BETWEEN_FAULTS_MS = 9 * SECOND;
/**
 * A lease ends by the clock of the database server, and a server whose clock is ahead of its predecessor's by more than the margin of leases gives it away while
 * its holder may still act: the servers of one database are kept closer together than that.
 */
const SERVERS_APART_MS = 2 * SECOND;

export function drawHeartsPlan(seed: number, minutes: number): HeartsPlan {
  const chance = new Chance(`hearts ${seed}`);
  const hearts = numbered('heart', chance.between(2, 3));
  const [gateways, workers] = [numbered('gateway', 2), numbered('worker', 2)];
  const skews = new Map([...hearts, ...gateways, ...workers].map((name) => [name, drawSkew(chance)]));
  const serverClocksMs = [0, 1, 2].map(() => chance.between(-SERVERS_APART_MS / 2, SERVERS_APART_MS / 2));
  const faults: HeartsFault[] = [];
  const draws = chance.split('faults');
  const end = OPENED_MS + minutes * 60 * SECOND;
  for (let at = OPENED_MS; at < end; at += draws.exponential(BETWEEN_FAULTS_MS))
    faults.push(drawFault(draws, at, { hearts, gateways, workers }));
  return { hearts, gateways, workers, skews, serverClocksMs, faults };
}

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

/** Every second one is off by up to an hour. */
const drawSkew = (chance: Chance): Skew => ({
  aheadMs: chance.oneIn(2) ? chance.between(-HOUR, HOUR) : chance.between(-200, 200),
  fastPpm: chance.between(-200, 200),
});

type Machines = Pick<HeartsPlan, 'hearts' | 'gateways' | 'workers'>;

function drawFault(chance: Chance, at: number, { hearts, gateways, workers }: Machines): HeartsFault {
  const who = (): string => {
    const all = chance.pick([[LEADER], [LEADER], [LEADER], [HOLDER], hearts, gateways, workers]);
    return chance.some(all) ?? LEADER;
  };
  const ms = (): number => chance.magnitude(0.3 * SECOND, 30 * SECOND);
  switch (
    chance.pick(['kill', 'kill', 'append', 'pause', 'pause', 'store', 'store', 'nats', 'nats', 'primary', 'primary', 'broker', 'clock'])
  ) {
    case 'kill':
      return { kind: 'kill', at, who: who(), downMs: ms() };
    case 'append':
      return { kind: 'deathAtAppend', at, who: LEADER, downMs: ms() };
    case 'pause':
      return { kind: 'pause', at, who: who(), forMs: ms() };
    case 'store':
      return { kind: 'cutFromStore', at, who: who(), forMs: ms() };
    case 'nats':
      return { kind: 'cutFromNats', at, who: who(), forMs: ms() };
    case 'primary':
      return {
        kind: 'primaryLost',
        at,
        lagMs: chance.magnitude(1, 2 * SECOND),
        downMs: chance.magnitude(200, 8 * SECOND),
        attachMs: chance.magnitude(100, 8 * SECOND),
      };
    case 'broker':
      return { kind: 'natsDown', at, forMs: chance.magnitude(200, 8 * SECOND) };
    case 'clock':
      return { kind: 'clockJump', at, who: who(), byMs: chance.between(-HOUR, HOUR) };
  }
}

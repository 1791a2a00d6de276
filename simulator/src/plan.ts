/** What a seed draws: the clients, and all faults as a list, so that a failure can be reduced to fewer faults. */
import { Chance } from './chance.ts';
import type { Weather } from './net.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Milliseconds since the beginning; `downMs` until the program is started again. */
export type Fault =
  | { readonly kind: 'kill'; readonly at: number; readonly downMs: number }
  | { readonly kind: 'powerLoss'; readonly at: number; readonly downMs: number; readonly kept: number }
  /** The program dies during its work, after this number of further disk calls; with a power loss where `kept` is given. */
  | {
      readonly kind: 'deathAtDisk';
      readonly at: number;
      readonly downMs: number;
      readonly calls: number;
      readonly kept: number | undefined;
    }
  | { readonly kind: 'writeError'; readonly at: number }
  | { readonly kind: 'syncError'; readonly at: number }
  | { readonly kind: 'directorySyncError'; readonly at: number }
  | { readonly kind: 'diskFull'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'slowDisk'; readonly at: number; readonly forMs: number; readonly ms: number }
  /** Something was written over a part of history that was durable: at this part of it, 0 to 1. */
  | { readonly kind: 'journalDamage'; readonly at: number; readonly where: number; readonly what: 'bit' | 'misdirectedSector' }
  | { readonly kind: 'snapshotDamage'; readonly at: number; readonly where: number }
  | { readonly kind: 'weather'; readonly at: number; readonly forMs: number; readonly weather: Weather }
  /** The number of clients per thousand that are cut off. */
  | { readonly kind: 'partition'; readonly at: number; readonly forMs: number; readonly permille: number }
  | { readonly kind: 'databaseDown'; readonly at: number; readonly forMs: number }
  /** The last commits are lost: they were acknowledged before the sync. */
  | { readonly kind: 'databaseCrash'; readonly at: number; readonly forMs: number; readonly lostMs: number }
  | { readonly kind: 'commitFails'; readonly at: number; readonly isDone: boolean }
  /** No blocks. */
  | { readonly kind: 'chainStall'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'nodeDown'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'nodeLag'; readonly at: number; readonly forMs: number; readonly blocks: number }
  /** `drops`: of people's deposits in it, the part that never comes back. */
  | { readonly kind: 'reorg'; readonly at: number; readonly depth: number; readonly drops: number }
  /** Final blocks are given up, and their deposits are gone: two operators write them off; they come back after this time, or never. */
  | { readonly kind: 'depositLost'; readonly at: number; readonly depth: number; readonly backAfterMs: number | undefined }
  | { readonly kind: 'poolForgotten'; readonly at: number }
  | { readonly kind: 'feeSpike'; readonly at: number; readonly forMs: number; readonly times: number }
  /** By the operator, for a while. `which` of them: 0 to 1. */
  | {
      readonly kind: 'marketClosed';
      readonly at: number;
      readonly forMs: number;
      readonly which: number;
      readonly state: 'HALT' | 'CANCEL_ONLY';
    }
  | { readonly kind: 'accountBlocked'; readonly at: number; readonly forMs: number; readonly which: number }
  | { readonly kind: 'clockJump'; readonly at: number; readonly byMs: number }
  /** The outside prices of a contract jump by this part of them, below zero for a fall, and come back later. `which` contract: 0 to 1. */
  | { readonly kind: 'priceGap'; readonly at: number; readonly forMs: number; readonly ppm: number; readonly which: number }
  /** No venue says anything. */
  | { readonly kind: 'pricesSilent'; readonly at: number; readonly forMs: number }
  /** One of three venues says this part of the price, 0 for none at all; of all contracts and collaterals. With `isAlone` a second one is silent. */
  | { readonly kind: 'venueLies'; readonly at: number; readonly forMs: number; readonly ppm: number; readonly isAlone: boolean }
  /** The program dies this long after the end of the running funding interval, or before it. */
  | { readonly kind: 'deathAtFunding'; readonly at: number; readonly afterMs: number; readonly downMs: number };

export type FaultKind = Fault['kind'];

export interface Swarm {
  readonly markets: number;
  readonly traders: number;
  readonly marketMakers: number;
  readonly dustFarmers: number;
  readonly whales: number;
  readonly washRings: number;
  /** 0 where no contracts are listed. */
  readonly futuresTraders: number;
  /** Accounts of one owner, who trades with itself. */
  readonly handAccounts: number;
  /** Listed; the inverse one is among them. */
  readonly contracts: number;
  /** Milliseconds between two acts of one person, in the mean. */
  readonly thinkMs: number;
  readonly clockSkewMs: number;
  readonly snapshotEvery: number;
  readonly hashEvery: number;
  readonly segmentBytes: number;
  readonly hasChain: boolean;
  readonly blockMs: number;
  /** 1 is a chain that never reorganises. */
  readonly confirmations: number;
  readonly payableSeconds: number;
}

export interface Plan {
  readonly swarm: Swarm;
  readonly faults: readonly Fault[];
}

/** Whatever the seed says, spot: no contracts are listed; contracts: some are, and an owner of several accounts trades in them. */
export type SeedKind = 'any' | 'spot' | 'contracts';

export function drawPlan(seed: number, hours: number, kind: SeedKind = 'any'): Plan {
  const chance = new Chance(`seed ${seed}`);
  const futures = kind === 'spot' ? NO_CONTRACTS : drawFutures(chance.split('futures'), kind === 'contracts');
  const swarm = { ...drawSwarm(chance.split('swarm')), ...futures };
  return { swarm, faults: drawFaults(chance.split('faults'), { hours, swarm }) };
}

type OfContracts = Pick<Swarm, 'futuresTraders' | 'handAccounts' | 'contracts'>;

const NO_CONTRACTS: OfContracts = { futuresTraders: 0, handAccounts: 0, contracts: 0 };

/** Few contracts mostly, so that the people meet in them. */
function drawFutures(chance: Chance, isSure: boolean): OfContracts {
  if (!chance.oneIn(3) && !isSure) return NO_CONTRACTS;
  const [futuresTraders, contracts] = [chance.between(3, 5), chance.pick([2, 2, 2, 3, 6])];
  return { futuresTraders, contracts, handAccounts: chance.oneIn(3) && !isSure ? 0 : chance.between(2, 3) };
}

function drawSwarm(chance: Chance): Omit<Swarm, keyof OfContracts> {
  return {
    markets: chance.between(1, 3),
    traders: chance.between(2, 5),
    marketMakers: chance.oneIn(4) ? 0 : 1,
    dustFarmers: chance.below(2),
    whales: chance.below(2),
    washRings: chance.oneIn(3) ? 1 : 0,
    thinkMs: chance.magnitude(15, 90) * SECOND,
    clockSkewMs: chance.between(-500, 500),
    snapshotEvery: chance.pick([150, 300, 1_000]),
    hashEvery: chance.pick([100, 250, 600]),
    segmentBytes: chance.pick([8, 16, 64]) * 1_024,
    hasChain: !chance.oneIn(4),
    blockMs: Math.round(chance.magnitude(5, 30) * SECOND),
    confirmations: chance.pick([1, 2, 4, 8, 12]),
    payableSeconds: chance.between(120, 900),
  };
}

/** Each kind has a mean time between two, in minutes; a seed leaves some out and has others more often. */
const MEAN_MINUTES: Readonly<Record<FaultKind, number>> = {
  kill: 12,
  powerLoss: 12,
  deathAtDisk: 15,
  writeError: 60,
  syncError: 60,
  directorySyncError: 120,
  diskFull: 90,
  slowDisk: 60,
  journalDamage: 90,
  snapshotDamage: 90,
  weather: 12,
  partition: 20,
  databaseDown: 45,
  databaseCrash: 45,
  commitFails: 20,
  chainStall: 45,
  nodeDown: 30,
  nodeLag: 30,
  reorg: 10,
  depositLost: 12,
  poolForgotten: 20,
  feeSpike: 45,
  marketClosed: 45,
  accountBlocked: 30,
  clockJump: 60,
  priceGap: 8,
  pricesSilent: 20,
  venueLies: 12,
  deathAtFunding: 12,
};
const OF_THE_CHAIN: ReadonlySet<FaultKind> = new Set([
  'chainStall',
  'nodeDown',
  'nodeLag',
  'reorg',
  'depositLost',
  'poolForgotten',
  'feeSpike',
]);
const OF_CONTRACTS: ReadonlySet<FaultKind> = new Set(['priceGap', 'pricesSilent', 'venueLies', 'deathAtFunding']);
const NEEDS_FORKS: ReadonlySet<FaultKind> = new Set(['reorg', 'depositLost']);
export const FAULT_KINDS = Object.keys(MEAN_MINUTES).filter((kind): kind is FaultKind => kind in MEAN_MINUTES);

function drawFaults(chance: Chance, { hours, swarm }: { hours: number; swarm: Swarm }): readonly Fault[] {
  const faults: Fault[] = [];
  for (const kind of FAULT_KINDS) {
    const own = chance.split(kind);
    if (OF_CONTRACTS.has(kind) && swarm.futuresTraders === 0) continue;
    if (own.oneIn(4) || (OF_THE_CHAIN.has(kind) && !swarm.hasChain) || (NEEDS_FORKS.has(kind) && swarm.confirmations === 1)) continue;
    const mean = MEAN_MINUTES[kind] * MINUTE * own.magnitude(0.4, 1.6);
    for (let at = own.exponential(mean); at < hours * HOUR; at += own.exponential(mean))
      faults.push(drawFault({ kind, at: Math.round(at) }, own, swarm));
  }
  return faults.sort((left, right) => left.at - right.at);
}

function drawFault({ kind, at }: { kind: FaultKind; at: number }, chance: Chance, swarm: Swarm): Fault {
  const downMs = Math.round(chance.magnitude(200, 20 * SECOND));
  const kept = chance.pick([0, 0.1, 0.2, 0.5, 0.9]);
  switch (kind) {
    case 'kill':
      return { kind, at, downMs };
    case 'powerLoss':
      return { kind, at, downMs, kept };
    case 'deathAtDisk':
      return { kind, at, downMs, calls: chance.below(12), kept: chance.oneIn(2) ? kept : undefined };
    case 'writeError':
    case 'syncError':
    case 'directorySyncError':
      return { kind, at };
    case 'diskFull':
      return { kind, at, forMs: Math.round(chance.magnitude(2 * SECOND, 10 * MINUTE)) };
    case 'slowDisk':
      return { kind, at, forMs: Math.round(chance.magnitude(5 * SECOND, 3 * MINUTE)), ms: Math.round(chance.magnitude(20, 2_000)) };
    case 'journalDamage':
      return { kind, at, where: chance.unit(), what: chance.pick(['bit', 'misdirectedSector']) };
    case 'snapshotDamage':
      return { kind, at, where: chance.unit() };
    case 'weather':
      return { kind, at, forMs: Math.round(chance.magnitude(10 * SECOND, 10 * MINUTE)), weather: drawWeather(chance) };
    case 'partition':
      return { kind, at, forMs: Math.round(chance.magnitude(SECOND, 2 * MINUTE)), permille: chance.between(100, 1_000) };
    case 'databaseDown':
      return { kind, at, forMs: Math.round(chance.magnitude(SECOND, 20 * MINUTE)) };
    case 'databaseCrash':
      return { kind, at, forMs: Math.round(chance.magnitude(SECOND, 2 * MINUTE)), lostMs: chance.between(1, 600) };
    case 'commitFails':
      return { kind, at, isDone: chance.oneIn(2) };
    case 'chainStall':
      return { kind, at, forMs: Math.round(chance.magnitude(10 * SECOND, 20 * MINUTE)) };
    case 'nodeDown':
      return { kind, at, forMs: Math.round(chance.magnitude(SECOND, 5 * MINUTE)) };
    case 'nodeLag':
      return { kind, at, forMs: Math.round(chance.magnitude(10 * SECOND, 5 * MINUTE)), blocks: chance.between(1, 10) };
    case 'reorg':
      return { kind, at, ...drawReorg(chance, swarm) };
    case 'depositLost':
      return { kind, at, ...drawLoss(chance, swarm) };
    case 'poolForgotten':
      return { kind, at };
    case 'feeSpike':
      return { kind, at, forMs: Math.round(chance.magnitude(30 * SECOND, 10 * MINUTE)), times: chance.between(2, 20) };
    case 'marketClosed':
      return { kind, at, ...drawClosure(chance) };
    case 'accountBlocked':
      return { kind, at, forMs: Math.round(chance.magnitude(SECOND, 3 * MINUTE)), which: chance.unit() };
    case 'clockJump':
      return { kind, at, byMs: chance.between(-HOUR, HOUR) };
    case 'priceGap':
      return { kind, at, ...drawGap(chance) };
    case 'pricesSilent':
      return { kind, at, forMs: Math.round(chance.magnitude(5 * SECOND, 8 * MINUTE)) };
    case 'venueLies':
      return { kind, at, ...drawLie(chance) };
    case 'deathAtFunding':
      return { kind, at, afterMs: chance.between(-3 * SECOND, 8 * SECOND), downMs };
  }
}

/** Mostly as deep as is expected; deeper ones give everything back: what they keep is a fault of its own. */
function drawReorg(chance: Chance, { confirmations }: Swarm): { depth: number; drops: number } {
  if (chance.oneIn(6)) return { depth: chance.between(confirmations + 1, chance.oneIn(4) ? 80 : 64), drops: 0 };
  return { depth: chance.between(1, confirmations), drops: chance.oneIn(2) ? 0.3 : 0 };
}

const drawGap = (chance: Chance): { forMs: number; ppm: number; which: number } => ({
  forMs: Math.round(chance.magnitude(10 * SECOND, 5 * MINUTE)),
  ppm: Math.round(chance.magnitude(5_000, 300_000)) * chance.pick([-1, 1]),
  which: chance.unit(),
});

const drawLie = (chance: Chance): { forMs: number; ppm: number; isAlone: boolean } => ({
  forMs: Math.round(chance.magnitude(10 * SECOND, 8 * MINUTE)),
  ppm: chance.pick([0, 900_000, 985_000, 1_020_000, 10_000_000]),
  isAlone: chance.oneIn(3),
});

const drawClosure = (chance: Chance): { forMs: number; which: number; state: 'HALT' | 'CANCEL_ONLY' } => ({
  forMs: Math.round(chance.magnitude(SECOND, 3 * MINUTE)),
  which: chance.unit(),
  state: chance.pick(['HALT', 'CANCEL_ONLY']),
});

function drawLoss(chance: Chance, { confirmations }: Swarm): { depth: number; backAfterMs: number | undefined } {
  const backAfterMs = chance.oneIn(2) ? undefined : Math.round(chance.magnitude(10 * SECOND, 20 * MINUTE));
  return { depth: chance.between(confirmations + 1, 64), backAfterMs };
}

const drawWeather = (chance: Chance): Weather => ({
  loss: chance.oneIn(3) ? 0 : chance.unit() * 0.3,
  repeats: chance.oneIn(3) ? 0 : chance.unit() * 0.5,
  delayMs: chance.magnitude(1, 500),
  stragglers: chance.oneIn(2) ? 0 : chance.unit() * 0.1,
});

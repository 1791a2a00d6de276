/** A fault of the plan happens. */
import type { Command, Market } from '@orrery/protocol';
import type { Chance } from './chance.ts';
import type { ChainSite } from './chain/chain-site.ts';
import { DEEPEST_SELF_HEALING } from './chain/sim-chain.ts';
import type { Person } from './clients/person.ts';
import type { Host } from './host.ts';
import type { Net } from './net.ts';
import type { FuturesFeed } from './futures-feed.ts';
import { SECOND, type Fault } from './plan.ts';
import type { Timeline } from './timeline.ts';

export interface Scene {
  readonly timeline: Timeline;
  readonly host: Host;
  readonly net: Net;
  readonly clients: () => readonly Person[];
  readonly markets: readonly Market[];
  /** Undefined where no contracts are listed. */
  readonly feed: FuturesFeed | undefined;
  /** Gives a command as the operator does: until it is taken. */
  readonly order: (command: Command) => void;
}

export function meet(fault: Fault, chance: Chance, scene: Scene): void {
  const { timeline, host, net } = scene;
  switch (fault.kind) {
    case 'kill':
      return host.die('a kill', fault.downMs);
    case 'powerLoss':
      host.die('a power loss', fault.downMs);
      return host.failPower(chance, fault.kept);
    case 'deathAtDisk':
      return dieAtDisk(fault, chance, scene);
    case 'writeError':
      host.disk.failNextWrite = true;
      return;
    case 'syncError':
      host.disk.failNextSync = true;
      return;
    case 'directorySyncError':
      host.disk.failNextDirectorySync = true;
      return;
    case 'diskFull':
      host.disk.isFull = true;
      timeline.after(fault.forMs, () => (host.disk.isFull = false));
      return;
    case 'slowDisk':
      host.disk.slowMs = fault.ms;
      timeline.after(fault.forMs, () => (host.disk.slowMs = 0));
      return;
    case 'journalDamage':
      return host.damageJournal(fault);
    case 'snapshotDamage':
      return host.damageSnapshot(fault.where);
    case 'weather':
      net.weather = fault.weather;
      timeline.after(fault.forMs, () => {
        if (net.weather === fault.weather) net.clearUp();
      });
      return;
    case 'partition':
      return cutOff(fault, chance, scene);
    case 'databaseDown':
      return host.loseDatabase(fault.forMs);
    case 'databaseCrash':
      return crashDatabase(fault, scene);
    case 'commitFails':
      return host.failNextCommit(fault.isDone ? 'isDoneAndFails' : 'fails');
    case 'chainStall':
    case 'nodeDown':
    case 'nodeLag':
    case 'reorg':
    case 'depositLost':
    case 'poolForgotten':
    case 'feeSpike':
      return host.site === undefined ? undefined : meetAtChain(fault, host.site, scene);
    case 'marketClosed':
    case 'accountBlocked':
      return meetOperator(fault, scene);
    case 'clockJump':
      return void (host.clockShift += fault.byMs);
    case 'priceGap':
    case 'pricesSilent':
    case 'venueLies':
    case 'deathAtFunding':
      return scene.feed === undefined ? undefined : meetAtContracts(fault, scene.feed, scene);
  }
}

function crashDatabase({ lostMs, forMs }: Extract<Fault, { kind: 'databaseCrash' }>, { timeline, host }: Scene): void {
  const forget = host.database.remember();
  timeline.after(lostMs, () => {
    forget();
    host.loseDatabase(forMs);
  });
}

/** The operator forbids something, and allows it again. */
function meetOperator(
  fault: Extract<Fault, { kind: 'marketClosed' | 'accountBlocked' }>,
  { timeline, markets, feed, clients, order }: Scene,
): void {
  const chosen = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(fault.which * values.length)];
  if (fault.kind === 'marketClosed') {
    const market = chosen([...markets, ...(feed?.contracts ?? [])])?.market;
    if (market === undefined) return;
    order({ type: 'SetMarketState', market, state: fault.state });
    timeline.after(fault.forMs, () => order({ type: 'SetMarketState', market, state: 'TRADING' }));
    return;
  }
  const account = chosen(clients())?.account;
  if (account === undefined) return;
  order({ type: 'SetAccountFlag', account, flag: 'blocked', value: true });
  timeline.after(fault.forMs, () => order({ type: 'SetAccountFlag', account, flag: 'blocked', value: false }));
}

type ContractFault = Extract<Fault, { kind: 'priceGap' | 'pricesSilent' | 'venueLies' | 'deathAtFunding' }>;

function meetAtContracts(fault: ContractFault, feed: FuturesFeed, { timeline, host }: Scene): void {
  switch (fault.kind) {
    case 'priceGap': {
      const back = feed.shift(fault.which, fault.ppm);
      timeline.after(fault.forMs, back);
      return;
    }
    case 'pricesSilent':
      feed.isSilent = true;
      timeline.after(fault.forMs, () => (feed.isSilent = false));
      return;
    case 'venueLies': {
      const { ppm, isAlone } = fault;
      const lie = { ppm, isAlone };
      feed.lie = lie;
      timeline.after(fault.forMs, () => {
        if (feed.lie === lie) feed.lie = undefined;
      });
      return;
    }
    case 'deathAtFunding':
      timeline.after(Math.max(0, feed.untilFunding() + fault.afterMs), () => host.die('a kill at funding', fault.downMs));
  }
}

type ChainFault = Extract<Fault, { kind: 'chainStall' | 'nodeDown' | 'nodeLag' | 'reorg' | 'depositLost' | 'poolForgotten' | 'feeSpike' }>;

function meetAtChain(fault: ChainFault, site: ChainSite, { timeline, host }: Scene): void {
  const { chain, node } = site;
  switch (fault.kind) {
    case 'chainStall':
      site.isStalled = true;
      timeline.after(fault.forMs, () => (site.isStalled = false));
      return;
    case 'nodeDown':
      node.isDown = true;
      timeline.after(fault.forMs, () => (node.isDown = false));
      return;
    case 'nodeLag':
      node.lag = fault.blocks;
      timeline.after(fault.forMs, () => (node.lag = 0));
      return;
    case 'reorg':
      return reorganise(fault, site, host);
    case 'depositLost': {
      const { final, bringBack } = site.loseDeposits(fault.depth);
      if (final > 0) host.count('final deposits lost');
      if (fault.backAfterMs !== undefined) timeline.after(fault.backAfterMs, bringBack);
      return host.callOperators();
    }
    case 'poolForgotten':
      chain.forgetPool();
      return;
    case 'feeSpike':
      chain.baseFee *= BigInt(fault.times);
      timeline.after(fault.forMs, () => (chain.baseFee /= BigInt(fault.times)));
  }
}

function reorganise(fault: Extract<Fault, { kind: 'reorg' }>, site: ChainSite, host: Host): void {
  const final = site.reorganise(fault);
  if (final.has('deposit')) host.count('reorganisation of credited deposits');
  if (final.has('release')) host.count('reorganisation of final payouts');
  // A deeper reorganisation than the exchange reconciles automatically waits for an operator.
  if (fault.depth > DEEPEST_SELF_HEALING) host.callPerson();
}

function dieAtDisk({ calls, kept, downMs }: Extract<Fault, { kind: 'deathAtDisk' }>, chance: Chance, { host, timeline }: Scene): void {
  host.disk.deathAfterCalls = calls;
  host.disk.onDeath = () => {
    host.die('its work at the disk', downMs);
    if (kept !== undefined) host.failPower(chance, kept);
  };
  // A program that is idle is not killed by its work.
  timeline.after(60 * SECOND, () => (host.disk.deathAfterCalls = undefined));
}

function cutOff({ forMs, permille }: Extract<Fault, { kind: 'partition' }>, chance: Chance, { net, clients, timeline }: Scene): void {
  const cut = clients()
    .map(({ name }) => name)
    .filter(() => chance.happens(permille / 1_000));
  for (const name of cut) net.cutOff.add(name);
  timeline.after(forMs, () => {
    for (const name of cut) net.cutOff.delete(name);
  });
}

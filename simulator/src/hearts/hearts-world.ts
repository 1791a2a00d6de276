/** One seed of several hearts, gateways and workers from its beginning to its end, under one clock and one list of faults. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEngine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { RandomCommands } from '../../../core/engine/src/testing/random-commands.ts';
import { Chance } from '../chance.ts';
import { Meters } from '../meters.ts';
import { Timeline } from '../timeline.ts';
import { Violation } from '../violation.ts';
import { GatewayHost } from './gateway-host.ts';
import { HeartHost } from './heart-host.ts';
import { drawHeartsPlan, type HeartsFault, type HeartsPlan, HOLDER, LEADER, OPENED_MS } from './hearts-plan.ts';
import type { Host, HostParts } from './host.ts';
import { judge } from './judge.ts';
import { SimNats } from './nats.ts';
import { People } from './people.ts';
import { Machine } from './process.ts';
import { Servers } from './servers.ts';
import { type Act, WorkerHost } from './worker-host.ts';
import { Witness } from './witness.ts';
import { Cuts } from './wire.ts';

/** Faults in the exchange itself, planted to see that they are caught. */
export type HeartsPlant =
  /** The store takes what a deposed heart appends. */
  | 'noFence'
  /** A worker acts without holding the lease. */
  | 'noLease'
  /** The primary acknowledges before the standby has it. */
  | 'ackBeforeStandby'
  /** The clock of each next server of the database is an hour ahead: see `docs/leases.md`. */
  | 'serversApart';

export interface HeartsOptions {
  readonly seed: number;
  /** Of faults, in simulated minutes. */
  readonly minutes: number;
  readonly plant?: HeartsPlant | undefined;
}

const HANDS = 5;
/** Registering, opening and funding: what random commands begin with. */
const OPENING = 57;
/** After the last fault: until everything is well again, and until all calls are answered. */
const HEALED_MS = 40_000;
const SETTLED_MS = 60_000;
const LINES_KEPT = 80;
const AN_HOUR_APART = Array.from({ length: 10 }, (_, server) => server * 3_600_000);
/** Until every program is started for the first time. */
const STARTED_MS = 5_000;

export class HeartsWorld {
  readonly meters = new Meters();
  readonly log: string[] = [];
  readonly #options: HeartsOptions;
  readonly #plan: HeartsPlan;
  readonly #timeline = new Timeline();
  readonly #starts: Chance;
  readonly #servers: Servers;
  readonly #nats: SimNats;
  readonly #cutFromStore = new Cuts();
  readonly #cutFromNats = new Cuts();
  readonly #witness = new Witness((violation) => this.#violate(violation));
  readonly #people: People;
  readonly #hearts: readonly HeartHost[];
  readonly #gateways: readonly GatewayHost[];
  readonly #workers: WorkerHost[] = [];
  readonly #acts: Act[] = [];
  #failure: { readonly error: unknown } | undefined;
  #isHealed = false;

  constructor(options: HeartsOptions, plan = drawHeartsPlan(options.seed, options.minutes)) {
    const chance = new Chance(`hearts ${options.seed} world`);
    const timeline = this.#timeline;
    this.#options = options;
    this.#starts = chance.split('starts');
    this.#plan = plan;
    this.#servers = new Servers({
      timeline,
      chance: chance.split('servers'),
      clocksMs: options.plant === 'serversApart' ? AN_HOUR_APART : plan.serverClocksMs,
      count: (name) => this.meters.count(name),
      acknowledgesEarly: options.plant === 'ackBeforeStandby',
      hasNoFence: options.plant === 'noFence',
    });
    this.#nats = new SimNats({ timeline, chance: chance.split('nats'), cuts: this.#cutFromNats });
    const parts: HostParts = {
      timeline,
      chance,
      servers: this.#servers,
      nats: this.#nats,
      cutFromStore: this.#cutFromStore,
      witness: this.#witness,
      count: (name) => this.meters.count(name),
      note: (line) => this.#note(line),
      onViolation: (error) => this.#violate(error),
    };
    const machine = (name: string): Machine => new Machine(name, timeline, plan.skews.get(name) ?? { aheadMs: 0, fastPpm: 0 });
    this.#hearts = plan.hearts.map((name) => new HeartHost(machine(name), parts));
    this.#gateways = plan.gateways.map((name) => new GatewayHost(machine(name), parts));
    const ofWorkers = { parts, acts: this.#acts, others: this.#workers, needsNoLease: options.plant === 'noLease' };
    for (const name of plan.workers) this.#workers.push(new WorkerHost(machine(name), ofWorkers));
    this.#people = new People({ timeline, chance: chance.split('people'), gateways: this.#gateways, count: parts.count });
  }

  /** Of the state that history leads to at the end. */
  stateHash = '';

  /** @throws Violation */
  async run(): Promise<void> {
    // Not together: their clocks would go on in step.
    for (const host of this.#hosts) this.#timeline.after(this.#starts.between(0, STARTED_MS), () => host.start());
    for (const worker of this.#workers) this.#timeline.after(OPENED_MS, () => worker.open());
    let isOpen = false;
    void this.#openExchange().then(() => (isOpen = true));
    await this.#runUntil(OPENED_MS);
    if (!isOpen) throw new Violation('liveness', 'the exchange does not open');
    this.#people.start(HANDS);
    for (const fault of this.#plan.faults) this.#timeline.at(fault.at, () => this.#strike(fault));
    const faultsEnd = Math.max(OPENED_MS, ...this.#plan.faults.map(({ at }) => at));
    await this.#runUntil(faultsEnd);
    this.#heal();
    await this.#runUntil(faultsEnd + HEALED_MS);
    this.#people.end();
    for (const worker of this.#workers) worker.close();
    await this.#runUntil(faultsEnd + HEALED_MS + SETTLED_MS);
    const [hearts, gateways, workers] = [this.#hearts, this.#gateways, this.#workers];
    const end = { hearts, gateways, workers, acts: this.#acts, people: this.#people, witness: this.#witness, servers: this.#servers };
    this.stateHash = judge(end, this.meters);
    for (const host of this.#hosts) host.end();
    await nextTurn();
  }

  get #hosts(): readonly Host[] {
    return [...this.#hearts, ...this.#gateways, ...this.#workers];
  }

  async #runUntil(time: number): Promise<void> {
    await this.#timeline.runUntil(time, () => this.#failure !== undefined);
    if (this.#failure !== undefined) {
      for (const host of this.#hosts) host.end();
      throw this.#failure.error;
    }
  }

  /** By the heart that leads first, before any fault. */
  async #openExchange(): Promise<void> {
    for (const command of openingOf(this.#options.seed)) {
      while (!(await this.#submitToLeader(command))) await new Promise<void>((resolve) => void this.#timeline.after(100, resolve));
    }
  }

  async #submitToLeader(command: Command): Promise<boolean> {
    const leader = this.#leader();
    if (leader?.heart === undefined) return false;
    try {
      await leader.heart.submit(command);
      return true;
    } catch {
      return false;
    }
  }

  /** The one that the store knows as such, if that one knows it too. */
  #leader(): HeartHost | undefined {
    return this.#hearts.find(({ heart }) => heart?.epoch === this.#servers.newest.epoch);
  }

  #strike(fault: HeartsFault): void {
    const timeline = this.#timeline;
    if (this.#isHealed) return;
    const who = 'who' in fault ? this.#hostOf(fault.who) : undefined;
    this.#note(`fault: ${JSON.stringify(fault)}${who === undefined ? '' : ` at ${who.machine.name}`}`);
    this.meters.count(`fault ${fault.kind}`);
    if ('who' in fault && (fault.who === LEADER || fault.who === HOLDER) && who !== undefined)
      this.meters.count(`fault ${fault.kind} of ${fault.who}`);
    switch (fault.kind) {
      case 'kill':
        return who?.kill(fault.downMs);
      case 'deathAtAppend':
        return this.#servers.onNextAppend(() => who?.kill(fault.downMs));
      case 'pause':
        return who?.pause(fault.forMs);
      case 'cutFromStore':
        return this.#cutFromStore.cut(who?.machine.name, (heal) => timeline.after(fault.forMs, heal));
      case 'cutFromNats':
        return this.#cutFromNats.cut(who?.machine.name, (heal) => timeline.after(fault.forMs, heal));
      case 'primaryLost':
        return this.#servers.losePrimary(fault);
      case 'natsDown':
        this.#nats.isUp = false;
        timeline.after(fault.forMs, () => (this.#nats.isUp = true));
        return;
      case 'clockJump':
        if (who !== undefined) who.machine.jumpedMs += fault.byMs;
    }
  }

  #hostOf(who: string): Host | undefined {
    if (who === LEADER) return this.#leader();
    if (who === HOLDER) return this.#workers.find(({ holds }) => holds);
    return this.#hosts.find(({ machine }) => machine.name === who);
  }

  /** Nothing new goes wrong; who is down or paused comes back at the time that was drawn. */
  #heal(): void {
    this.#isHealed = true;
    this.#nats.isUp = true;
    this.#cutFromStore.healAll();
    this.#cutFromNats.healAll();
  }

  #violate(error: unknown): void {
    const violation = error instanceof Violation ? error : new Violation('program', `something threw: ${String(error)}`, error);
    this.#failure ??= { error: violation };
  }

  #note(line: string): void {
    this.log.push(`${(this.#timeline.now / 1_000).toFixed(3)} s: ${line}`);
    if (this.log.length > 2 * LINES_KEPT) this.log.splice(0, LINES_KEPT);
  }
}

function openingOf(seed: number): readonly Command[] {
  const random = new RandomCommands(seed, { upgrades: false });
  const engine = createEngine();
  return Array.from({ length: OPENING }, () => {
    const sequenced = random.next();
    random.follow(sequenced, engine.apply(sequenced));
    return sequenced.command;
  });
}

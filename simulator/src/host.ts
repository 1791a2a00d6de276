/** The machine that the exchange runs on, and the one who starts it again: its disk, its database, its clock, and life after life of the program. */
import { createEngine, decodeState } from '@orrery/engine';
import type { Authenticator } from '@orrery/gateway';
import { type Indexer, migrations as indexerMigrations } from '@orrery/indexer';
import { migrations } from '@orrery/projector';
import { HeartError, type Contract, type Heart } from '@orrery/protocol';
import { HistoryDamaged, type EngineFactory, type SequencerLimits } from '@orrery/sequencer';
import type { Chance } from './chance.ts';
import type { ChainSite } from './chain/chain-site.ts';
import { DatabaseLost, SimDatabase } from './database/sim-database.ts';
import { damageJournal, damageSnapshot, type Damage } from './disk/damage.ts';
import { DiskFaults } from './disk/disk-faults.ts';
import { Platter } from './disk/platter.ts';
import { Life } from './life.ts';
import type { Meters } from './meters.ts';
import type { Witness } from './oracle/witness.ts';
import { SECOND, type Fault, type Swarm } from './plan.ts';
import { plantedEngines, type Plant } from './plant.ts';
import { Program } from './program.ts';
import type { Timeline } from './timeline.ts';
import { Violation } from './violation.ts';

export interface HostParts {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly swarm: Swarm;
  readonly witness: Witness;
  readonly meters: Meters;
  readonly authenticator: Authenticator;
  readonly plant: Plant | undefined;
  /** Undefined where there is no chain. */
  readonly site: ChainSite | undefined;
  readonly contracts: readonly Contract[];
  readonly onViolation: (error: unknown) => void;
}

/** Where clocks begin, in unix milliseconds. */
export const BEGINNING = 1_795_000_000_000;
const LINES_KEPT = 60;
const PERSON_MS = 180_000;

export class Host {
  readonly platter = new Platter();
  readonly disk: DiskFaults;
  readonly database: SimDatabase;
  /** Of the indexer, which waits until each commit is synced. */
  readonly chainDatabase: SimDatabase;
  /** Milliseconds by which the host's clock is wrong. */
  clockShift: number;
  readonly #parts: HostParts;
  readonly #engines: EngineFactory;
  readonly #log: string[] = [];
  #trouble = '';
  #life: Life;
  #program: Program | undefined;
  #damage: Damage | undefined;

  private constructor(parts: HostParts, { database, chainDatabase }: { database: SimDatabase; chainDatabase: SimDatabase }) {
    const { timeline, chance, swarm, plant } = parts;
    this.#parts = parts;
    this.database = database;
    this.database.losesBills = plant === 'losesRows';
    this.chainDatabase = chainDatabase;
    this.disk = new DiskFaults(timeline, chance.split('disk'));
    this.disk.liesAboutSyncs = plant === 'ackBeforeSync';
    this.clockShift = swarm.clockSkewMs;
    this.#engines = plantedEngines({ createEngine, decodeState }, plant, parts.witness);
    this.#life = new Life(timeline);
  }

  static async open(parts: HostParts): Promise<Host> {
    const database = await SimDatabase.open([migrations], parts.chance.split('database'));
    return new Host(parts, { database, chainDatabase: await SimDatabase.open([indexerMigrations], parts.chance.split('chain database')) });
  }

  /** The newest lines that the programs logged and what they died of. */
  get log(): readonly string[] {
    return this.#log.slice(-LINES_KEPT);
  }

  get site(): ChainSite | undefined {
    return this.#parts.site;
  }

  /** By its clock, which may be wrong. */
  get wallMs(): number {
    return Math.floor(BEGINNING + this.#parts.timeline.now + this.clockShift);
  }

  /** While it runs and is open to the world. */
  get program(): Program | undefined {
    return this.#program?.isAlive === true ? this.#program : undefined;
  }

  /** What a fault meets. */
  get state(): 'running' | 'starting' | 'down' {
    if (!this.#life.isAlive) return 'down';
    return this.#program === undefined ? 'starting' : 'running';
  }

  get heart(): Heart | undefined {
    return this.program?.heart;
  }

  start(): void {
    const { timeline, swarm, witness, meters, authenticator, plant, site, contracts, onViolation } = this.#parts;
    const life = new Life(timeline);
    this.#life = life;
    meters.count('starts');
    Program.start({
      life,
      platter: this.platter,
      diskFaults: this.disk,
      engines: this.#engines,
      limits: limitsOf(swarm),
      wallMs: () => this.wallMs,
      monotonicMs: () => timeline.now,
      witness,
      authenticator,
      db: this.database.connect(life),
      plant,
      contracts,
      chain: site === undefined ? undefined : { site, sql: this.chainDatabase.connect(life) },
      onDamage: () => this.#refuseDamage('the projector'),
      onTrouble: (what, error) => {
        meters.count(`troubles with the ${what}`);
        this.#noteTrouble(error);
      },
      log: (line) => {
        if (life.isAlive) this.note(line);
      },
      onFatal: (error) => {
        if (!life.isAlive) return;
        meters.count('fatal');
        this.die(`a fatal error: ${String(error)}`, SECOND);
      },
      onViolation,
    }).then(
      (program) => {
        if (!life.isAlive) return;
        this.#program = program;
        this.#endDamage();
      },
      (error: unknown) => {
        if (life.isAlive) this.#didNotStart(error);
      },
    );
  }

  /** The program ends where it stands, and is started again. */
  die(why: string, downMs: number): void {
    if (!this.#life.isAlive) return;
    this.note(`dies of ${why}`);
    this.#life.end();
    this.#program = undefined;
    this.database.lose();
    this.chainDatabase.lose();
    this.disk.deathAfterCalls = undefined;
    this.#parts.timeline.after(downMs, () => this.start());
  }

  failPower(chance: Chance, kept: number): void {
    this.platter.failPower(chance, kept);
  }

  loseDatabase(forMs: number): void {
    for (const database of [this.database, this.chainDatabase]) {
      database.lose();
      database.isDown = true;
      this.#parts.timeline.after(forMs, () => (database.isDown = false));
    }
  }

  failNextCommit(how: 'fails' | 'isDoneAndFails'): void {
    this.database.nextCommit = how;
    this.chainDatabase.nextCommit = how;
  }

  /** An operator inspects the halted chain and clears the halt as soon as a program runs. */
  callPerson(): void {
    this.#parts.timeline.after(PERSON_MS, () => {
      const { program } = this;
      if (program === undefined) this.callPerson();
      else program.indexer?.clearHalt().catch(() => this.callPerson());
    });
  }

  /** Two operators write off what is lost, the second after the first: again until nothing is lost any more. */
  callOperators(): void {
    this.#parts.timeline.after(PERSON_MS, () => {
      const { indexer } = this.program ?? {};
      if (indexer === undefined) return this.callOperators();
      this.#writeOff(indexer).catch(() => this.callOperators());
    });
  }

  async #writeOff({ writeOffs }: Indexer): Promise<void> {
    const { list } = await writeOffs.lost({ page: 1, size: 100 });
    for (const { key, state } of list) {
      if (state !== 'LOST') continue;
      await writeOffs.writeOff(key);
      // A command that is given again after a crash.
      await writeOffs.writeOff(key);
    }
  }

  damageJournal(fault: Extract<Fault, { kind: 'journalDamage' }>): void {
    if (this.#damage !== undefined) return;
    this.die('damage to the journal', SECOND);
    this.#damage = damageJournal(this.platter, fault);
    if (this.#damage !== undefined) this.note(`damage at ${this.#damage.place}`);
  }

  damageSnapshot(where: number): void {
    this.die('damage to a snapshot', SECOND);
    if (damageSnapshot(this.platter, where)) this.#parts.meters.count('snapshot damaged');
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    for (const database of [this.database, this.chainDatabase]) {
      database.isDown = this.#parts.plant === 'databaseStaysDown';
      database.nextCommit = undefined;
    }
    this.#parts.site?.heal();
    this.disk.heal();
  }

  count(name: string): void {
    this.#parts.meters.count(name);
  }

  note(line: string): void {
    this.#log.push(`${(this.#parts.timeline.now / SECOND).toFixed(3)} s: ${line}`);
    if (this.#log.length > 2 * LINES_KEPT) this.#log.splice(0, LINES_KEPT);
  }

  /** Once for each kind in a row: most troubles come again and again. */
  #noteTrouble(error: unknown): void {
    const sentence = String(error).split('\n', 1)[0] ?? '';
    if (sentence !== this.#trouble) this.note(sentence);
    this.#trouble = sentence;
  }

  #didNotStart(error: unknown): void {
    const { meters, onViolation } = this.#parts;
    if (error instanceof Violation) return onViolation(error);
    this.note(`did not start: ${String(error)}`);
    if (error instanceof HistoryDamaged && this.#damage?.explains(error) === true) {
      this.#refuseDamage('the start');
      return;
    }
    if (error instanceof DatabaseLost) {
      meters.count('starts that failed by the database');
      return this.die('the database', 30 * SECOND);
    }
    if (!isOfTheDisk(error)) return onViolation(new Violation('R4', `the program does not start: ${String(error)}`, error));
    meters.count('starts that failed by the disk');
    this.die('the disk', 2 * SECOND);
  }

  /** Every reader of history may encounter it: the start, or the projector, which may be further behind than the snapshot. */
  #refuseDamage(by: string): boolean {
    if (this.#damage === undefined) return false;
    this.#parts.meters.count('damage refused by name');
    this.#damage.repair();
    this.#damage = undefined;
    this.die(`damage met by ${by}`, SECOND);
    return true;
  }

  /** A start on damaged history is a fault, unless the damage lies before the snapshot that was used. */
  #endDamage(): void {
    const damage = this.#damage;
    if (damage === undefined) return;
    this.#damage = undefined;
    if (damage.mustBeRefused) this.#parts.onViolation(new Violation('R4', `the program started on damaged history: ${damage.place}`));
    this.#parts.meters.count('damage before the snapshot');
    damage.repair();
  }
}

/** Also when there is room for cancels only, and the listing is not registered yet. */
const isOfTheDisk = (error: unknown): boolean =>
  error instanceof HeartError || (error instanceof Error && 'code' in error && (error.code === 'EIO' || error.code === 'ENOSPC'));

function limitsOf({ segmentBytes, hashEvery, snapshotEvery }: Swarm): SequencerLimits {
  return {
    segmentBytes,
    reserveBytes: segmentBytes,
    hashEvery,
    snapshotEvery,
    encodedBytesPerCommand: Infinity,
    pendingCommands: 64,
    recentCommands: 64,
    recentCommandsKept: 8,
    minFreeRatio: 0.1,
    dayOfJournalBytes: 1e9,
  };
}

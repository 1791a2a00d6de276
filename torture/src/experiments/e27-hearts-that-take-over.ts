/** Hearts on one journal lose their leader again and again, by drawn faults, under orders that go on. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, HeartError, type Sequenced } from '@orrery/protocol';
import { assetId, atoms } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { drawnOrder } from '../../../core/engine/src/testing/drawn-order.ts';
import { addressOf } from '../../../core/engine/src/testing/random-commands.ts';
import { HeartLink } from '../../../exchange/src/link/heart-link.ts';
import { connectNats } from '../../../exchange/src/link/nats.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { historyIn } from '../heart/history-in.ts';
import { OPENING, writeCommands } from '../heart/script.ts';
import { AskedOrders } from '../instruments/asked-orders.ts';
import { ReadyHeart } from '../instruments/hearts.ts';
import { hasNats, NatsServer } from '../../../exchange/src/testing/nats-server.ts';
import { found, PATIENCE_MS, POLL_MS, timesOf } from '../instruments/found.ts';
import { ServersInTurns } from '../instruments/servers-in-turns.ts';
import { Verdict } from '../instruments/verdict.ts';

const TRIALS = { small: 100, large: 1_000 };
const HEARTS = ['first', 'second', 'third'];
const HANDS = 4;
/** One machine's clock is off by an hour, ahead or behind. */
const HOUR_MS = 3_600_000;
/** Answered between two faults. */
const ORDERS_BETWEEN = 20;
const PREFIX = 'orrery.e27';
/** Without a standby. */
const ALONE_MS = [200, 2_000] as const;
/** What ends is started again by what watches it. */
const START_AGAIN_MS = 500;

type Fault = 'kill' | 'pause' | 'cut' | 'primary' | 'standby' | 'nats';
/** The hearts are what this is about: the engines that they stand on are lost less often. */
const FAULTS: readonly Fault[] = ['kill', 'kill', 'kill', 'pause', 'pause', 'cut', 'cut', 'primary', 'standby', 'nats'];

export const heartsThatTakeOver: Experiment = {
  id: 'E27',
  title: 'hearts on one journal, and the one that leads is killed, paused, cut off; the primary, the standby and NATS are lost',
  mustHold:
    'no answer is taken back, nothing is taken twice, nothing is answered without a standby, there is one history, and another heart leads',
  async run(context) {
    if (!hasNats()) return { trials: 0, facts: {}, violations: [], notRun: 'there is no nats-server on this machine' };
    return inFolder((folder) => run(folder, context));
  },
};

class Town {
  readonly hearts: ReadyHeart[] = [];
  readonly asked = new AskedOrders();
  readonly link: HeartLink;
  readonly #chance: Chance;
  #isOver = false;
  #made = 0;
  answered = 0;
  /** Of the orders that were answered: when the newest of them was asked for, and when it was answered, by the monotonic clock. */
  newest = { askedAt: 0, answeredAt: 0 };

  constructor(link: HeartLink, chance: Chance) {
    this.link = link;
    this.#chance = chance;
  }

  async trade(): Promise<void> {
    await Promise.all(Array.from({ length: HANDS }, () => this.#hand()));
  }

  end(): void {
    this.#isOver = true;
  }

  async #hand(): Promise<void> {
    while (!this.#isOver) {
      const askedAt = performance.now();
      if (!(await this.asked.ask(this.#next(), (command) => this.link.submit(command)))) continue;
      this.answered += 1;
      if (askedAt > this.newest.askedAt) this.newest = { askedAt, answeredAt: performance.now() };
    }
  }

  /** A deposit or an order that was never asked for before. */
  #next(): Command {
    const chance = this.#chance;
    this.#made += 1;
    const account = chance.between(1, 3);
    const amount = atoms(BigInt(chance.between(1, 1_000)));
    if (chance.oneIn(3)) return { type: 'CreditDeposit', key: `e27:${this.#made}`, address: addressOf(account), asset: assetId(1), amount };
    return drawnOrder(chance, { account, clientOrderId: `e27-${this.#made}` });
  }
}

async function run(folder: string, context: Context): Promise<Findings> {
  const { dose, seed, say } = context;
  const chance = new Chance(seed);
  const verdict = new Verdict(say);
  const postgres = await ServersInTurns.start();
  const nats = await NatsServer.start();
  const connection = await connectNats(`nats://127.0.0.1:${nats.port}`, 'clients');
  const link = new HeartLink({
    connection,
    prefix: PREFIX,
    monotonicMs: () => performance.now(),
    onTrouble: (error) => say(String(error)),
  });
  const town = new Town(link, chance);
  const surroundings = { folder, postgres: postgres.place, natsPort: nats.port, prefix: PREFIX };
  const times = new Map<Fault, number[]>();
  try {
    for (const name of HEARTS) town.hearts.push(await ReadyHeart.open(name, surroundings));
    for (const heart of town.hearts) heart.start(0);
    for (const { command } of writeCommands(seed, OPENING) satisfies readonly Sequenced[]) await soon(() => link.submit(command));
    const trading = town.trade();
    for (let trial = 1; trial <= TRIALS[dose]; trial += 1) {
      const fault = chance.pick(FAULTS);
      await verdict.attempt(`trial ${trial} (${fault}, seed ${seed})`, async () => {
        const ms = await oneFault(fault, { town, postgres, nats, chance, verdict });
        times.set(fault, [...(times.get(fault) ?? []), ms]);
      });
      if (verdict.violations.length > 3) break;
    }
    town.end();
    await trading;
    const last = town.hearts.find(({ epoch }) => epoch !== undefined);
    verdict.check(last !== undefined, 'no heart leads at the end');
    for (const heart of town.hearts) await heart.close();
    const { applied } = await historyIn(`${folder}/${last?.name ?? HEARTS[0]}`);
    verdict.add(town.asked.compareWith(applied));
    return {
      trials: TRIALS[dose],
      facts: { ...factsOf(town.asked), ...timesOf(times), 'commands in history': applied.length },
      violations: verdict.violations,
    };
  } catch (error) {
    for (const { name, complaints } of town.hearts) say(`${name}: ${complaints.slice(-3).join(' ')}`);
    throw error;
  } finally {
    town.end();
    for (const heart of town.hearts) await heart.close().catch(() => undefined);
    await connection.close();
    await nats.kill();
    await postgres.stop();
  }
}

interface Scene {
  readonly town: Town;
  readonly postgres: ServersInTurns;
  readonly nats: NatsServer;
  readonly chance: Chance;
  readonly verdict: Verdict;
}

/** @returns milliseconds from the fault to the first order that was asked for and answered after it */
async function oneFault(fault: Fault, scene: Scene): Promise<number> {
  const { town, postgres, nats, chance } = scene;
  const startAgain = startingAgain(town, chance);
  // A fault is only one of the leader where another heart is ready.
  const leader = await found('a heart that leads, and one that is ready', () => {
    startAgain();
    const isReady = town.hearts.some(({ isFollowing, isUp }) => isFollowing && isUp);
    return isReady ? town.hearts.find(({ epoch, isUp }) => epoch !== undefined && isUp) : undefined;
  });
  const before = town.answered;
  await found('orders', () => (town.answered >= before + ORDERS_BETWEEN ? true : undefined));
  const beganAt = performance.now();
  if (fault === 'kill') leader.signal('SIGKILL');
  if (fault === 'pause') leader.signal('SIGSTOP');
  if (fault === 'cut') leader.cut();
  if (fault === 'primary') await postgres.losePrimary();
  if (fault === 'standby') await beWithoutStandby(scene);
  if (fault === 'nats') await nats.kill();
  if (fault === 'nats') await nats.start();
  const isOfLeader = fault === 'kill' || fault === 'pause' || fault === 'cut';
  if (isOfLeader) await found('another heart that leads', () => town.hearts.find((heart) => heart !== leader && heart.epoch !== undefined));
  // An answer to what was asked before does not count.
  await found('an answer', () => (town.newest.askedAt > beganAt ? true : undefined));
  const tookMs = town.newest.answeredAt - beganAt;
  if (fault === 'pause') leader.signal('SIGCONT');
  if (fault === 'cut') leader.join();
  // A deposed heart ends; a lost primary may end others too.
  if (isOfLeader) await found('the end of the heart that led', () => (leader.isUp ? undefined : true));
  return tookMs;
}

/** As what watches processes does: a heart that finds no standby ends, and is started again. */
function startingAgain({ hearts }: Town, chance: Chance): () => void {
  let next = 0;
  return () => {
    if (performance.now() < next) return;
    next = performance.now() + START_AGAIN_MS;
    for (const heart of hearts) if (!heart.isUp) heart.start(chance.pick([0, 0, HOUR_MS, -HOUR_MS]));
  };
}

/** What was asked for while there is no second server may not be answered before there is one again. */
async function beWithoutStandby({ town, postgres, chance, verdict }: Scene): Promise<void> {
  await postgres.loseStandby();
  const goneAt = performance.now();
  await pause(chance.between(...ALONE_MS));
  verdict.check(town.newest.askedAt <= goneAt, 'an order was answered that only one server has');
  await postgres.startStandby();
}

/** While no heart leads yet. */
async function soon<Result>(act: () => Promise<Result>): Promise<Result> {
  for (const until = performance.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof HeartError) || error.outcomeUnknown || performance.now() > until) throw error;
    }
  }
}

const factsOf = (asked: AskedOrders): Record<string, number> => ({
  answered: asked.count('done'),
  refused: asked.count('refused'),
  'outcome unknown': asked.count('unknown'),
});

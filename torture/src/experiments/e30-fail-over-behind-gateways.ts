/** Clients of two gateways trade while the hearts behind them are killed, paused and cut off, and the engines that those stand on are lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@orrery/sdk';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient } from '../../../exchange/e2e/person.ts';
import { hasNats } from '../../../exchange/src/testing/nats-server.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { compareWithHistory } from '../instruments/asked-at-gateways.ts';
import { compareReader, type Reading } from '../instruments/compare-reader.ts';
import { ExchangeInNamespaces } from '../instruments/exchange-in-namespaces.ts';
import { done, found, timesOf } from '../instruments/found.ts';
import { factsOf, firstSince, OrderClient } from '../instruments/order-clients.ts';
import { lasting, patiently } from '../program/patient-reads.ts';
import type { RoleHeart } from '../instruments/role-heart.ts';
import { shuffled } from '../instruments/shuffled.ts';
import { Verdict } from '../instruments/verdict.ts';

const MARKET = 'BTC_USDC';
const COINS = { base: 'BTC', quote: 'USDC' };
const TRADERS = 6;
/** Of the traders: each has a private stream too. */
const READERS = 2;
const LARGE = 100;
/** Taken between two faults. */
const ORDERS_BETWEEN = 20;
/** One machine's clock is off by an hour, ahead or behind. */
const HOUR_MS = 3_600_000;
const START_AGAIN_MS = 500;
/** Without a standby. */
const ALONE_MS = [200, 2_000] as const;

const KINDS = ['kill', 'pause', 'cut', 'primary', 'standby', 'nats'] as const;
type Fault = (typeof KINDS)[number];
const OF_LEADER: ReadonlySet<Fault> = new Set(['kill', 'pause', 'cut']);

export const failOverBehindGateways: Experiment = {
  id: 'E30',
  title: 'hearts in network namespaces are killed, paused and cut off, the primary, the standby and NATS are lost, behind two gateways',
  mustHold:
    'no order that a client was answered is lost, none is there twice, all answers are of one history, and no private stream lacks a trade',
  async run(context) {
    if (!hasNats()) return { trials: 0, facts: {}, violations: [], notRun: 'there is no nats-server on this machine' };
    return inFolder((folder) => run(folder, context));
  },
};

interface Scene {
  readonly exchange: ExchangeInNamespaces;
  readonly clients: readonly OrderClient[];
  readonly readers: readonly Reading[];
  readonly urls: readonly string[];
  readonly chance: Chance;
  readonly verdict: Verdict;
}

async function run(folder: string, context: Context): Promise<Findings> {
  const verdict = new Verdict(context.say);
  const exchange = await ExchangeInNamespaces.open(folder);
  let scene: Scene | undefined;
  try {
    scene = await begin({ exchange, chance: new Chance(context.seed), verdict });
    return await underFaults(scene, context);
  } catch (error) {
    complain(exchange, context);
    // The fault that was found first explains the rest.
    throw verdict.violations.length === 0 ? error : new Error([...verdict.violations, String(error)].join('; '), { cause: error });
  } finally {
    for (const client of scene?.clients ?? []) client.abandon();
    for (const { reader } of scene?.readers ?? []) reader.close();
    await exchange.close();
  }
}

function complain({ hearts }: ExchangeInNamespaces, { say }: Context): void {
  for (const { name, complaints } of hearts) say(`${name}: ${complaints.slice(-5).join(' | ')}`);
}

async function underFaults(scene: Scene, context: Context): Promise<Findings> {
  const { exchange, clients, verdict } = scene;
  const { dose, seed, say } = context;
  let [isOver, trials] = [false, 0];
  const trading = Promise.all(clients.map((client) => client.trade(() => isOver)));
  // Reported where it is awaited.
  trading.catch(() => undefined);
  const times = new Map<Fault, number[]>();
  for (const fault of drawn(dose === 'small' ? KINDS.length : LARGE, scene)) {
    trials += 1;
    await verdict.attempt(`trial ${trials} (${fault}, seed ${seed})`, async () => {
      const ms = await oneFault(fault, scene);
      times.set(fault, [...(times.get(fault) ?? []), ms]);
      say(`trial ${trials}, ${fault}: an order was answered after ${Math.round(ms)} ms`);
    });
    // What a trial leaves behind that failed is no ground for the next one.
    if (verdict.violations.length > 0) break;
  }
  if (verdict.violations.length > 0) complain(exchange, context);
  await found('a heart that leads', () => leaderOf(scene) ?? startAgain(scene));
  isOver = true;
  await trading;
  await compare(scene);
  const cuts = exchange.engines.network === undefined ? 'not run: namespaces are not possible here' : 'between namespaces';
  return { trials, facts: { ...factsOf(clients), ...timesOf(times), cuts }, violations: verdict.violations };
}

async function begin(parts: Pick<Scene, 'exchange' | 'chance' | 'verdict'>): Promise<Scene> {
  const keys = await parts.exchange.begin(TRADERS);
  const urls = parts.exchange.gateways.map(({ url }) => url);
  const price = Math.floor(Number((await patiently(() => createClient({ baseUrl: urls[0] ?? '' }).indexPrice({ symbol: MARKET }))).p));
  const market = { symbol: MARKET, price };
  const clients = keys.map((key, trader) => new OrderClient(key, { trader, urls, chance: parts.chance, market }));
  const readers = keys.slice(0, READERS).map((key) => ({ key, reader: new MovingReader(MARKET) }));
  const scene = { ...parts, urls, clients, readers };
  try {
    for (const reading of readers) await move(scene, reading);
  } catch (error) {
    for (const { reader } of readers) reader.close();
    throw error;
  }
  return scene;
}

async function move({ urls, chance }: Pick<Scene, 'urls' | 'chance'>, { key, reader }: Reading): Promise<void> {
  const url = chance.pick(urls);
  await reader.move({ url, client: keyClient(url, key) });
}

/** Each kind as often as the others, in an order by chance. */
function drawn(count: number, { exchange, chance }: Scene): readonly Fault[] {
  const possible = KINDS.filter((kind) => kind !== 'cut' || exchange.engines.network !== undefined);
  const faults: Fault[] = [];
  while (faults.length < count) faults.push(...shuffled(possible, chance));
  return faults.slice(0, count);
}

/** Of two that say so the one of the later epoch: the other was paused or cut off meanwhile. */
const leaderOf = ({ exchange }: Scene): RoleHeart | undefined =>
  exchange.hearts
    .filter(({ epoch, isUp }) => epoch !== undefined && isUp)
    .toSorted((one, other) => (other.epoch ?? 0) - (one.epoch ?? 0))[0];

/** While another one is ready to take its place. */
function leaderBeforeFault(scene: Scene): RoleHeart | undefined {
  startAgain(scene);
  const leader = leaderOf(scene);
  return scene.exchange.hearts.some((heart) => heart !== leader && heart.isFollowing && heart.isUp) ? leader : undefined;
}

const nextStart = new WeakMap<ExchangeInNamespaces, number>();

/** As what watches processes does. @param but the one that stays down */
function startAgain({ exchange, chance }: Scene, { but }: { readonly but?: RoleHeart | undefined } = {}): undefined {
  if (performance.now() < (nextStart.get(exchange) ?? 0)) return;
  nextStart.set(exchange, performance.now() + START_AGAIN_MS);
  for (const heart of exchange.hearts) if (!heart.isUp && heart !== but) heart.start(chance.pick([0, 0, HOUR_MS, -HOUR_MS]));
}

/** @returns milliseconds from the fault to the first answer to an order that was asked for after it */
async function oneFault(fault: Fault, scene: Scene): Promise<number> {
  const { clients, readers, chance } = scene;
  const taken = (): number => clients.reduce((sum, { takenAtOnce }) => sum + takenAtOnce, 0);
  const before = taken();
  await found('orders', () => {
    startAgain(scene);
    return taken() >= before + ORDERS_BETWEEN || undefined;
  });
  await move(scene, chance.pick(readers));
  // Chosen at the last moment: on a slow machine another one may have begun to lead meanwhile.
  const leader = await found('a heart that leads, and one that is ready', () => leaderBeforeFault(scene));
  const beganAt = performance.now();
  return OF_LEADER.has(fault) ? ofLeader(fault, leader, { scene, beganAt }) : ofEngines(fault, { scene, beganAt });
}

interface Begun {
  readonly scene: Scene;
  /** By the monotonic clock. */
  readonly beganAt: number;
}

async function ofLeader(fault: Fault, leader: RoleHeart, { scene, beganAt }: Begun): Promise<number> {
  const { exchange } = scene;
  const foundMeanwhile = <Result>(what: string, look: () => Result | undefined): Promise<Result> =>
    found(what, () => {
      startAgain(scene, { but: leader });
      return look();
    });
  try {
    await actOnLeader(fault, leader, scene);
    await foundMeanwhile('another heart that leads', () =>
      exchange.hearts.find((heart) => heart !== leader && heart.isUp && heart.epoch !== undefined),
    );
    const { answeredAt } = await foundMeanwhile('an answer', () => firstSince(scene.clients, beganAt));
    await goOn(fault, leader, scene);
    // A deposed heart ends.
    await foundMeanwhile('the end of the heart that led', () => !leader.isUp || undefined);
    return answeredAt - beganAt;
  } finally {
    await goOn(fault, leader, scene);
  }
}

async function actOnLeader(fault: Fault, leader: RoleHeart, { exchange }: Scene): Promise<void> {
  if (fault === 'cut') await exchange.engines.network?.cut(leader.name);
  else leader.signal(fault === 'pause' ? 'SIGSTOP' : 'SIGKILL');
}

/** May be done twice. */
async function goOn(fault: Fault, leader: RoleHeart, { exchange }: Scene): Promise<void> {
  if (fault === 'pause') leader.signal('SIGCONT');
  if (fault === 'cut') await exchange.engines.network?.join(leader.name);
}

async function ofEngines(fault: Fault, { scene, beganAt }: Begun): Promise<number> {
  await done(`the loss of the ${fault}`, actOnEngines(fault, scene));
  const { answeredAt } = await found('an answer', () => {
    startAgain(scene);
    return firstSince(scene.clients, beganAt);
  });
  return answeredAt - beganAt;
}

async function actOnEngines(fault: Fault, scene: Scene): Promise<void> {
  const { postgres, nats } = scene.exchange.engines;
  if (fault === 'primary') await postgres.losePrimary();
  else if (fault === 'standby') await beWithoutStandby(scene);
  else {
    await nats.kill();
    await nats.start();
  }
}

/** What is asked for while there is no second server may not be answered before there is one again. */
async function beWithoutStandby(scene: Scene): Promise<void> {
  const { chance, verdict, exchange } = scene;
  await exchange.engines.postgres.loseStandby();
  const goneAt = performance.now();
  await pause(chance.between(...ALONE_MS));
  verdict.check(firstSince(scene.clients, goneAt) === undefined, 'an order was answered that only one server has');
  await exchange.engines.postgres.startStandby();
}

async function compare({ clients, readers, urls, verdict }: Scene): Promise<void> {
  const asked = clients.flatMap((client) => client.asked);
  verdict.add(await lasting(async () => compareWithHistory(asked, await Promise.all(clients.map((client) => client.history())), COINS)));
  await Promise.all(
    readers.map((reading) => verdict.attempt('the private stream of a reader', () => compareReader({ urls, verdict }, reading))),
  );
}

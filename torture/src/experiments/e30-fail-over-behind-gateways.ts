/** Clients of two gateways trade while the hearts behind them are killed, paused and cut off, and the engines that those stand on are lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@orrery/sdk';
import { assert } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient } from '../../../exchange/e2e/person.ts';
import { hasNats } from '../../../exchange/src/testing/nats-server.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { type Asked, compareWithHistory } from '../instruments/asked-at-gateways.ts';
import { compareReader, type Reading } from '../instruments/compare-reader.ts';
import { ExchangeInNamespaces } from '../instruments/exchange-in-namespaces.ts';
import { found, POLL_MS, timesOf } from '../instruments/found.ts';
import { OrderClient } from '../instruments/order-clients.ts';
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
/** Until what was traded last is in history. */
const CATCH_UP_MS = 30_000;

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

async function run(folder: string, { dose, seed, say }: Context): Promise<Findings> {
  const [chance, verdict] = [new Chance(seed), new Verdict(say)];
  const exchange = await ExchangeInNamespaces.open(folder);
  let isOver = false;
  try {
    const scene = await begin({ exchange, chance, verdict });
    const { clients } = scene;
    const trading = Promise.all(clients.map((client) => client.trade(() => isOver)));
    // Reported where it is awaited.
    trading.catch(() => undefined);
    const times = new Map<Fault, number[]>();
    const faults = drawn(dose === 'small' ? KINDS.length : LARGE, scene);
    for (const [index, fault] of faults.entries()) {
      await verdict.attempt(`trial ${index + 1} (${fault}, seed ${seed})`, async () => {
        const ms = await oneFault(fault, scene);
        times.set(fault, [...(times.get(fault) ?? []), ms]);
        say(`trial ${index + 1}, ${fault}: an order was answered after ${Math.round(ms)} ms`);
      });
      if (verdict.violations.length > 3) break;
    }
    await found('a heart that leads', () => leaderOf(scene) ?? startAgain(scene));
    isOver = true;
    await trading;
    await compare(scene);
    const cuts = exchange.engines.network === undefined ? 'not run: namespaces are not possible here' : 'between namespaces';
    return { trials: faults.length, facts: { ...factsOf(clients), ...timesOf(times), cuts }, violations: verdict.violations };
  } catch (error) {
    for (const { name, complaints } of exchange.hearts) say(`${name}: ${complaints.slice(-5).join(' | ')}`);
    throw error;
  } finally {
    isOver = true;
    await exchange.close();
  }
}

async function begin(parts: Pick<Scene, 'exchange' | 'chance' | 'verdict'>): Promise<Scene> {
  const keys = await parts.exchange.begin(TRADERS);
  const urls = parts.exchange.gateways.map(({ url }) => url);
  const price = Math.floor(Number((await createClient({ baseUrl: urls[0] ?? '' }).indexPrice({ symbol: MARKET })).p));
  const market = { symbol: MARKET, price };
  const clients = keys.map((key, trader) => new OrderClient(key, { trader, urls, chance: parts.chance, market }));
  const readers = keys.slice(0, READERS).map((key) => ({ key, reader: new MovingReader(MARKET) }));
  const scene = { ...parts, urls, clients, readers };
  for (const reading of readers) await move(scene, reading);
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

const leaderOf = ({ exchange }: Scene): RoleHeart | undefined => exchange.hearts.find(({ epoch, isUp }) => epoch !== undefined && isUp);

const nextStart = new WeakMap<ExchangeInNamespaces, number>();

/** As what watches processes does. */
function startAgain({ exchange, chance }: Scene): undefined {
  if (performance.now() < (nextStart.get(exchange) ?? 0)) return;
  nextStart.set(exchange, performance.now() + START_AGAIN_MS);
  for (const heart of exchange.hearts) if (!heart.isUp) heart.start(chance.pick([0, 0, HOUR_MS, -HOUR_MS]));
}

/** @returns milliseconds from the fault to the first answer to an order that was asked for after it */
async function oneFault(fault: Fault, scene: Scene): Promise<number> {
  const { exchange, readers, chance } = scene;
  const leader = await found('a heart that leads, and one that is ready', () => {
    startAgain(scene);
    return exchange.hearts.some(({ isFollowing, isUp }) => isFollowing && isUp) ? leaderOf(scene) : undefined;
  });
  const before = takenSince(scene, 0).length;
  await found('orders', () => takenSince(scene, 0).length >= before + ORDERS_BETWEEN || undefined);
  await move(scene, chance.pick(readers));
  const beganAt = performance.now();
  await act(fault, leader, scene);
  if (OF_LEADER.has(fault))
    await found('another heart that leads', () => exchange.hearts.find((heart) => heart !== leader && heart.epoch !== undefined));
  const first = await found('an answer', () => {
    if (!OF_LEADER.has(fault)) startAgain(scene);
    return takenSince(scene, beganAt)[0];
  });
  if (fault === 'pause') leader.signal('SIGCONT');
  if (fault === 'cut') await exchange.engines.network?.join(leader.name);
  // A deposed heart ends.
  if (OF_LEADER.has(fault)) await found('the end of the heart that led', () => !leader.isUp || undefined);
  return first.answeredAt - beganAt;
}

async function act(fault: Fault, leader: RoleHeart, scene: Scene): Promise<void> {
  const { postgres, nats, network } = scene.exchange.engines;
  switch (fault) {
    case 'kill':
      return leader.signal('SIGKILL');
    case 'pause':
      return leader.signal('SIGSTOP');
    case 'cut':
      assert(network !== undefined, 'a cut is drawn where there is a network');
      return network.cut(leader.name);
    case 'primary':
      return postgres.losePrimary();
    case 'standby':
      return beWithoutStandby(scene);
    case 'nats':
      await nats.kill();
      return nats.start();
  }
}

/** What is asked for while there is no second server may not be answered before there is one again. */
async function beWithoutStandby(scene: Scene): Promise<void> {
  const { chance, verdict, exchange } = scene;
  await exchange.engines.postgres.loseStandby();
  const goneAt = performance.now();
  await pause(chance.between(...ALONE_MS));
  verdict.check(takenSince(scene, goneAt).length === 0, 'an order was answered that only one server has');
  await exchange.engines.postgres.startStandby();
}

/** Of the orders asked for since then, those that were taken at once; the one that was answered first is the first. */
const takenSince = ({ clients }: Scene, since: number): readonly Asked[] =>
  clients
    .flatMap(({ asked }) => asked.filter(({ askedAt, repeats, outcome }) => askedAt > since && repeats === 0 && outcome.kind === 'taken'))
    .toSorted((left, right) => left.answeredAt - right.answeredAt);

async function compare({ clients, readers, urls, verdict }: Scene): Promise<void> {
  const asked = clients.flatMap((client) => client.asked);
  const look = async (): Promise<readonly string[]> =>
    compareWithHistory(asked, await Promise.all(clients.map((client) => client.history())), COINS);
  let violations = await look();
  for (const end = performance.now() + CATCH_UP_MS; violations.length > 0 && performance.now() < end; await pause(POLL_MS))
    violations = await look();
  verdict.add(violations);
  for (const reading of readers) await verdict.attempt('the private stream of a reader', () => compareReader({ urls, verdict }, reading));
}

function factsOf(clients: readonly OrderClient[]): Record<string, number> {
  const asked = clients.flatMap((client) => client.asked);
  const count = (kind: string): number => asked.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    taken: count('taken'),
    refused: count('refused'),
    'without an answer at first': asked.filter(({ repeats }) => repeats > 0).length,
    'never known': count('unknown'),
  };
}

/** People trade in the cluster of `npm run cluster`, by its balancer alone, while it is asked for its faults. */
import { chmodSync } from 'node:fs';
import { createClient } from '@orrery/sdk';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient, type KeyOfPerson, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { isMachineHeld } from '../../../tools/cluster/control.ts';
import { FAULTS, type Fault } from '../../../tools/cluster/faults.ts';
import { missingPackages } from '../../../tools/cluster/packages.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { compareWithHistory } from '../instruments/asked-at-gateways.ts';
import { compareReader, type Reading } from '../instruments/compare-reader.ts';
import { found, timesOf } from '../instruments/found.ts';
import { factsOf, firstSince, OrderClient } from '../instruments/order-clients.ts';
import { shuffled } from '../instruments/shuffled.ts';
import { SmallProduction } from '../instruments/small-production.ts';
import { Verdict } from '../instruments/verdict.ts';
import { lasting, patiently } from '../program/patient-reads.ts';

const MARKET = 'BTC_USDC';
/** The market-maker quotes there too. */
const TRADED = { base: 'BTC', quote: 'USDC', withOthers: true } as const;
const TRADERS = 4;
/** Of the traders: it has a private stream too. */
const READERS = 1;
/** Rounds of every fault. */
const ROUNDS = { small: 1, large: 5 } as const;
/** The first line of a fault that was caused, and what no line may say. */
const DONE = /^kill -9 |is cut off for/;
const WRONG = /Error/;
/** Taken between two faults. */
const ORDERS_BETWEEN = 10;

export const smallProduction: Experiment = {
  id: 'E31',
  title: 'the cluster of `npm run cluster` loses a heart, a gateway, a worker, the projector, the primary, a NATS server, and a machine',
  mustHold:
    'people who came by the balancer, with test tokens of the faucet, have each answered order once in one history, and everything works again',
  async run(context) {
    const reason = await whyNot();
    if (reason !== undefined) return { trials: 0, facts: {}, violations: [], notRun: reason };
    return inFolder((folder) => run(folder, context), '/var/tmp');
  },
};

async function whyNot(): Promise<string | undefined> {
  const missing = missingPackages();
  if (missing.length > 0) return `these packages are missing: ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'only root makes network namespaces';
  return (await isMachineHeld()) ? 'a cluster runs on this machine' : undefined;
}

interface Scene {
  readonly production: SmallProduction;
  readonly clients: readonly OrderClient[];
  readonly readers: readonly Reading[];
  readonly verdict: Verdict;
}

async function run(folder: string, context: Context): Promise<Findings> {
  // PostgreSQL runs under a user of its own, and reaches its folder below this one.
  chmodSync(folder, 0o755);
  const production = await SmallProduction.start(folder);
  let scene: Scene | undefined;
  try {
    scene = await begin(production, context);
    return await underFaults(scene, context);
  } catch (error) {
    for (const line of production.lines) context.say(line);
    throw error;
  } finally {
    for (const client of scene?.clients ?? []) client.abandon();
    for (const { reader } of scene?.readers ?? []) reader.close();
    await production.close();
  }
}

async function begin(production: SmallProduction, { seed, say }: Context): Promise<Scene> {
  const chance = new Chance(seed);
  const { url } = production;
  const urls = [url];
  const keys: KeyOfPerson[] = [];
  for (let trader = 0; trader < TRADERS; trader += 1) keys.push(await arrive(url));
  const price = Math.floor(Number((await patiently(() => createClient({ baseUrl: url }).indexPrice({ symbol: MARKET }))).p));
  const market = { symbol: MARKET, price };
  const clients = keys.map((key, trader) => new OrderClient(key, { trader, urls, chance, market }));
  const readers = keys.slice(0, READERS).map((key) => ({ key, reader: new MovingReader(MARKET) }));
  for (const { key, reader } of readers) await reader.move({ url, client: keyClient(url, key) });
  return { production, clients, readers, verdict: new Verdict(say) };
}

/** The whole way of a newcomer, by the balancer. */
async function arrive(url: string): Promise<KeyOfPerson> {
  const person = await signIn(url);
  await prepareToTrade(url, person);
  return tradeKey(person, { legacySigning: true });
}

async function underFaults(scene: Scene, { dose, seed, say }: Context): Promise<Findings> {
  const { clients, verdict } = scene;
  let [isOver, trials] = [false, 0];
  const trading = Promise.all(clients.map((client) => client.trade(() => isOver)));
  // Reported where it is awaited.
  trading.catch(() => undefined);
  const times = new Map<Fault, number[]>();
  const chance = new Chance(seed);
  for (const fault of Array.from({ length: ROUNDS[dose] }, () => shuffled(FAULTS, chance)).flat()) {
    trials += 1;
    await verdict.attempt(`trial ${trials} (${fault}, seed ${seed})`, async () => {
      const ms = await oneFault(fault, scene, say);
      times.set(fault, [...(times.get(fault) ?? []), ms]);
      say(`trial ${trials}, ${fault}: an order was answered after ${Math.round(ms)} ms`);
    });
    if (verdict.violations.length > 0) break;
  }
  isOver = true;
  await trading;
  await verdict.attempt('the end', () => until('every program answers Prometheus', () => scene.production.isWhole()).then(() => undefined));
  await compare(scene);
  return { trials, facts: { ...factsOf(clients), ...timesOf(times) }, violations: verdict.violations };
}

/** @returns milliseconds from the fault to the first answer to an order that was asked for after it */
async function oneFault(fault: Fault, { production, clients, verdict }: Scene, say: (line: string) => void): Promise<number> {
  const taken = (): number => clients.reduce((sum, { takenAtOnce }) => sum + takenAtOnce, 0);
  const before = taken();
  await found('orders', () => taken() >= before + ORDERS_BETWEEN || undefined);
  let since = 0;
  const seen = await production.cause(fault, (moment) => (since = moment));
  for (const line of seen) say(line);
  verdict.check(DONE.test(seen[0] ?? ''), `${fault}: nothing was done: ${seen[0] ?? 'the cluster says nothing'}`);
  verdict.add(seen.filter((line) => WRONG.test(line)).map((line) => `${fault}: ${line}`));
  const { answeredAt } = await found('an answer', () => firstSince(clients, since));
  return answeredAt - since;
}

async function compare({ production, clients, readers, verdict }: Scene): Promise<void> {
  const asked = clients.flatMap((client) => client.asked);
  verdict.add(await lasting(async () => compareWithHistory(asked, await Promise.all(clients.map((client) => client.history())), TRADED)));
  const urls = [production.url];
  await Promise.all(
    readers.map((reading) => verdict.attempt('the private stream of a reader', () => compareReader({ urls, verdict }, reading))),
  );
}

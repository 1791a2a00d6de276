/** Every process of an exchange is replaced by one of another build while clients trade, and then back. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreateOrder, Fill } from '@orrery/api';
import { CallError, type Client, createClient } from '@orrery/sdk';
import { parseDecimal } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { MovingReader } from '../../../exchange/e2e/moving-reader.ts';
import { keyClient, type KeyOfPerson, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { hasNats } from '../../../exchange/src/testing/nats-server.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { historyIn } from '../heart/history-in.ts';
import { allPages, becomes, patiently } from '../program/patient-reads.ts';
import { RoamingTrader, type Waited } from '../instruments/roaming-trader.ts';
import { type Build, buildIn, type Place, RolledRoles } from '../instruments/rolled-roles.ts';
import { quantile } from '../instruments/steady-trader.ts';
import { Verdict } from '../instruments/verdict.ts';
import { compareMemory } from '../program/traders.ts';

const execute = promisify(execFile);
const MARKET = 'BTC_USDC';
const COINS = ['BTC', 'USDC'] as const;
const DECIMALS = 24;
const PAGE = 100;
/** A reader at each gateway. */
const READERS = 2;
/** A round is an upgrade and a roll-back; a small dose of one build alone is half of one. */
const DOSES = { small: { traders: 3, rounds: 1, settledOrders: 6 }, large: { traders: 6, rounds: 5, settledOrders: 60 } } as const;

export const rollingVersions: Experiment = {
  id: 'E29',
  title: 'every process is replaced by one of another build while clients trade (ORRERY_OTHER_BUILD, or the same one), and back',
  mustHold:
    'no acknowledged order is lost or there twice, no private stream lacks a trade, balances are those of the fills, there is one history',
  async run(context) {
    if (!hasNats()) return { trials: 0, facts: {}, violations: [], notRun: 'there is no nats-server on this machine' };
    return inFolder((folder) => run(folder, context));
  },
};

interface Person {
  readonly key: KeyOfPerson;
  readonly trader: RoamingTrader;
  readonly held: Held;
}
type Held = Readonly<Record<(typeof COINS)[number], bigint>>;

interface Reading {
  readonly key: KeyOfPerson;
  readonly reader: MovingReader;
  /** The index of its gateway. */
  at: number;
}

interface Town {
  readonly roles: RolledRoles;
  readonly people: readonly Person[];
  readonly readers: readonly Reading[];
  readonly verdict: Verdict;
  readonly say: (line: string) => void;
  /** By the kind of the process that was replaced. */
  readonly waits: Map<string, number[]>;
}

async function run(folder: string, { dose, seed, say }: Context): Promise<Findings> {
  const terms = DOSES[dose];
  const [ours, other] = [buildIn(), buildIn(process.env['ORRERY_OTHER_BUILD'])];
  const isOne = ours.checkout === other.checkout;
  const [verdict, chance] = [new Verdict(say), new Chance(seed)];
  const roles = await RolledRoles.open(folder);
  let people: readonly Person[] = [];
  let readers: readonly Reading[] = [];
  try {
    say(`from ${other.commit} to ${ours.commit}${isOne ? ', the same checkout' : ''}, and back`);
    await roles.start(other);
    people = await Promise.all(Array.from({ length: terms.traders }, (_, index) => openPerson(roles, chance, index)));
    readers = people.slice(0, READERS).map(({ key }, at) => ({ key, reader: new MovingReader(MARKET), at }));
    const town: Town = { roles, people, readers, verdict, say, waits: new Map() };
    for (const { key, reader, at } of readers) await reader.move(gateOf(town, at, key));
    for (const { trader } of people) trader.start();
    await noted(town, 'nothing', () => ordersSince(town, performance.now(), terms.settledOrders * 2));
    let replaced = 0;
    for (let round = 1; round <= terms.rounds; round += 1) {
      replaced += await roll(town, { to: ours, way: 'upgrade', orders: terms.settledOrders });
      // Of one build the way back is the way there.
      if (!isOne || dose === 'large') replaced += await roll(town, { to: other, way: 'roll-back', orders: terms.settledOrders });
    }
    for (const { trader } of people) await trader.stop();
    verdict.add(people.flatMap(({ trader }) => trader.faults.splice(0)));
    // Together: what is wrong to the end is waited for once.
    await Promise.all(people.map((person, index) => verdict.attempt(`trader ${index + 1}`, () => compare(town, person))));
    await Promise.all(readers.map((reading) => verdict.attempt('a private stream', () => compareStream(town, reading))));
    await roles.stop();
    const history = await compareHistory(town, isOne ? [ours] : [ours, other]);
    return {
      trials: replaced,
      facts: { builds: `${other.commit} -> ${ours.commit}`, ...factsOf(town), ...history },
      violations: verdict.violations,
    };
  } finally {
    for (const { trader } of people) trader.abandon();
    for (const { reader } of readers) reader.close();
    await roles.close();
  }
}

/** Has signed in, has money of the faucet and a key, and does not trade yet. */
async function openPerson({ gateways }: RolledRoles, chance: Chance, index: number): Promise<Person> {
  const url = gateways[index % gateways.length]?.url ?? '';
  const person = await signIn(url, { from: `10.29.0.${index + 1}` });
  await prepareToTrade(url, person);
  const key = await tradeKey(person);
  const clients = gateways.map((gateway) => keyClient(gateway.url, key));
  const price = Math.floor(Number((await patiently(() => createClient({ baseUrl: url }).indexPrice({ symbol: MARKET }))).p));
  const draw = (): CreateOrder => ({
    symbol: MARKET,
    tradeType: 'LIMIT',
    direction: chance.pick(['BUY', 'SELL']),
    price: String(price + chance.between(-3, 3)),
    totalAmount: `0.000${chance.between(1, 9)}`,
  });
  const trader = new RoamingTrader({ clients, chance, name: `e29-${index + 1}`, draw });
  return { key, trader, held: await heldAtFirst(clients) };
}

/** What every gateway says once it knows of the money: each coin came in one transfer. */
function heldAtFirst(clients: readonly Client[]): Promise<Held> {
  return until('every gateway knows of the money', async () => {
    // A gateway that is behind may not know the account yet.
    const [held, ...others] = await Promise.all(clients.map((client) => heldBy(client).catch(unlessRefused)));
    const isThere = held !== undefined && held.BTC > 0n && held.USDC > 0n && others.every((other) => same(held, other));
    return isThere ? held : undefined;
  });
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof CallError)) throw error;
}

/** Balances at spot, in units of 10^-24. */
async function heldBy(client: Client): Promise<Held> {
  const balances = await patiently(() => client.balances({ account: 'spot' }));
  const of = (coin: string): bigint => exact(balances.find((balance) => balance.coin === coin)?.balance ?? '0');
  return { BTC: of('BTC'), USDC: of('USDC') };
}

function exact(text: string): bigint {
  const value = parseDecimal(text, DECIMALS);
  if (value === undefined) throw new Error(`${text} is no amount`);
  return value;
}

const gateOf = ({ roles }: Pick<Town, 'roles'>, at: number, key: KeyOfPerson): { url: string; client: Client } => {
  const url = roles.gateways[at]?.url ?? '';
  return { url, client: keyClient(url, key) };
};

interface Way {
  readonly to: Build;
  readonly way: 'upgrade' | 'roll-back';
  readonly orders: number;
}

/** What reads history goes first in an upgrade, and what writes it in a roll-back. @returns how many processes were replaced */
async function roll(town: Town, { to, way, orders }: Way): Promise<number> {
  const { roles, say, verdict } = town;
  const hearts = await roles.heartsInOrder();
  const rest: readonly Place[] = [...roles.gateways, roles.workers];
  const order = way === 'upgrade' ? [...rest, ...hearts] : [...hearts, ...rest.toReversed()];
  for (const place of order) {
    const kind = kindOf(place, hearts);
    const beganAt = performance.now();
    await noted(town, kind, async () => {
      await Promise.all([replace(town, place, to), leave(town, place)]);
      const took = Math.round(performance.now() - beganAt);
      await ordersSince(town, performance.now(), orders);
      say(`${way} of ${place.name} to ${to.commit}: there after ${took} ms`);
    });
    verdict.add(town.people.flatMap(({ trader }) => trader.faults.splice(0)));
  }
  return order.length;
}

function kindOf({ name }: Place, hearts: readonly Place[]): string {
  if (name.startsWith('gateway')) return 'gateway';
  if (name === 'workers') return 'worker and projector';
  return name === hearts[0]?.name ? 'heart that follows' : 'heart that leads';
}

async function replace({ verdict }: Town, place: Place, to: Build): Promise<void> {
  verdict.same(`the exit code of ${place.name} of ${place.build?.commit ?? 'no build'}`, await place.stop(), 0);
  await place.start(to);
}

/** Those whose gateway it is go on at the other one. */
async function leave(town: Town, place: Place): Promise<void> {
  const left = town.roles.gateways.findIndex((gateway) => gateway === place);
  await Promise.all(
    town.readers
      .filter(({ at }) => at === left)
      .map(async (reading) => {
        reading.at = (left + 1) % town.roles.gateways.length;
        await reading.reader.move(gateOf(town, reading.at, reading.key));
      }),
  );
}

/** That each trader has asked for after that moment, and that were acknowledged. */
async function ordersSince({ people }: Town, since: number, count: number): Promise<void> {
  await until('each trader has placed orders again', () => {
    const faults = people.flatMap(({ trader }) => trader.faults);
    if (faults.length > 0) throw new Error(`a trader is not served: ${faults.join(', ')}`);
    return Promise.resolve(people.every(({ trader }) => trader.since(since) * people.length >= count));
  });
}

/** Notes how long each order waited that was under way meanwhile. */
async function noted(town: Town, kind: string, act: () => Promise<void>): Promise<void> {
  const beganAt = performance.now();
  await act();
  const isMeanwhile = ({ answeredAt }: Waited): boolean => answeredAt >= beganAt;
  const waits = town.people
    .flatMap(({ trader }) => trader.waits.filter(isMeanwhile))
    .map(({ askedAt, answeredAt }) => answeredAt - askedAt);
  town.waits.set(kind, [...(town.waits.get(kind) ?? []), ...waits]);
}

/** What was acknowledged, and what every gateway says. */
async function compare({ roles, verdict }: Town, { key, trader, held }: Person): Promise<void> {
  await Promise.all(
    roles.gateways.map(async ({ url }) => {
      const client = keyClient(url, key);
      verdict.add(await compareMemory(client, trader.memory));
      await becomes('the balances', async () => same(await heldBy(client), after(held, await allFills(client))));
    }),
  );
}

type Fills = readonly Fill[];

function after(held: Held, fills: Fills): Held {
  let { BTC, USDC } = held;
  for (const { orderSide, quantity, value, fee, feeCoin } of fills) {
    const sign = orderSide === 'BUY' ? 1n : -1n;
    BTC += sign * exact(quantity) - (feeCoin === 'BTC' ? exact(fee) : 0n);
    USDC -= sign * exact(value) + (feeCoin === 'USDC' ? exact(fee) : 0n);
  }
  return { BTC, USDC };
}

/** What a moving stream has sent is what every gateway says. */
async function compareStream(town: Town, { key, reader }: Reading): Promise<void> {
  const { roles, verdict } = town;
  for (const { url } of roles.gateways) {
    const client = keyClient(url, key);
    await becomes('the trades', async () => {
      const fills = await allFills(client);
      return fills.length === reader.trades.size && fills.every(({ execId, takerMaker }) => reader.trades.has(`${execId} ${takerMaker}`));
    });
    await becomes('the balances of a stream', async () => {
      const balances = await client.balances({ account: 'spot' });
      return balances.every(({ coin, balance }) => reader.balances[coin] === balance);
    });
  }
  verdict.check(reader.trades.size > 0, 'a reader has traded nothing');
  verdict.add(reader.faults);
}

const print = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
const same = (one: unknown, other: unknown): boolean => print(one) === print(other);

const allFills = (client: Client): Promise<Fills> => allPages((page) => client.fills({ symbol: MARKET, page, size: PAGE }));

/** Of the copies of both hearts one is the beginning of the other; each build replays both and meets every state hash that is in them. */
async function compareHistory({ roles, verdict }: Town, builds: readonly Build[]): Promise<Record<string, number | string>> {
  const facts: Record<string, number | string> = {};
  const folders = roles.hearts.map(({ folder }) => join(folder, 'history'));
  for (const { checkout, commit } of builds) {
    const said: string[] = [];
    for (const folder of folders) {
      const { stdout } = await execute(process.execPath, [join(checkout, 'services/sequencer/src/verify.ts'), folder]);
      said.push(stdout.trim().split('\n').at(-1) ?? '');
    }
    facts[`replayed by ${commit}`] = said.join(' and ');
  }
  const histories = await Promise.all(folders.map(historyIn));
  const [shorter, longer] = histories.map(({ applied }) => applied).toSorted((one, other) => one.length - other.length);
  const commands = shorter?.length ?? 0;
  verdict.check(commands > 0, 'a heart has no history');
  verdict.check(same(shorter, longer?.slice(0, commands)), 'the two hearts have two histories');
  return { ...facts, 'commands in history': longer?.length ?? 0 };
}

function factsOf({ people, readers, waits }: Town): Record<string, number | string> {
  const sum = (count: (trader: RoamingTrader) => number): number => people.reduce((all, { trader }) => all + count(trader), 0);
  const reasons = new Map<string, number>();
  for (const { trader } of people) for (const [reason, count] of trader.refusals) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  return {
    acknowledged: sum(({ memory }) => memory.placed.size),
    canceled: sum(({ memory }) => memory.canceled.size),
    'asked again': sum(({ again }) => again),
    refused: [...reasons].map(([reason, count]) => `${count} ${reason}`).join(' '),
    'trades of readers': readers.reduce((all, { reader }) => all + reader.trades.size, 0),
    ...Object.fromEntries(
      [...waits].map(([kind, all]) => [
        `an order while ${kind} was replaced`,
        `${all.length}, p50 ${Math.round(quantile(all, 0.5))} ms, worst ${Math.round(Math.max(...all))} ms`,
      ]),
    ),
  };
}

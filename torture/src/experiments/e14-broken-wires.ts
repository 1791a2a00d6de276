/** The wires to the database, to the chain and to the clients are cut in the middle of messages, slowed, silenced; clients ask twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { ApiKeyCredentials, type ApiKeyOptions, CallError, type Client, ConnectionError, createClient } from '@orrery/sdk';
import { type Hex, parseEther } from 'viem';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, prepareToTrade, signIn, tradeKey, type Person } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY, startProgram } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { startPostgres } from '../../../exchange/src/embedded/postgres/postgres.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { compareReadModel } from '../instruments/read-model.ts';
import { TcpProxy, type WireFault } from '../instruments/tcp-proxy.ts';
import { TestChain } from '../../../exchange/e2e/test-chain.ts';
import { Verdict } from '../instruments/verdict.ts';
import { compareMemory, Memory } from '../program/traders.ts';

const FAULTS = { small: 24, large: 400 } as const;
const SYMBOL = 'SOL_USDC';
const CONFIRMATIONS = 2;
const MINE_EVERY_MS = 150;
const HANDS = 2;
const COIN = 'WSOSO';
/** So little that what the faucet gave lasts: an order refused for want of money would hide one refused without reason. */
const SIZE = '0.05';
/** Below ten orders a second of each account. */
const ORDER_PAUSE_MS = 250;
const CALL_MS = 2_000;

export const brokenWires: Experiment = {
  id: 'E14',
  title: 'wires cut, slowed and silenced; requests made twice',
  mustHold:
    'an order is there once, and reported so, however often it was sent, every open question finds its answer, history and deposits come out right',
  run,
};

async function run({ dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const chance = new Chance(seed);
  const directory = await mkdtemp(join(tmpdir(), 'orrery-torture-'));
  const chain = await TestChain.open({ mineEveryMs: MINE_EVERY_MS });
  const server = await startPostgres({ directory: join(directory, 'postgres') });
  const { host, user, database } = server.connection;
  const wires = {
    chain: await TcpProxy.open({ host: '127.0.0.1', port: Number(new URL(chain.url).port) }),
    database: await TcpProxy.open({ path: `${host}/.s.PGSQL.5432` }),
  };
  const program = await startProgram({
    dataDirectory: join(directory, 'data'),
    env: {
      ...chain.settings,
      ORRERY_RPC_URL: `http://127.0.0.1:${wires.chain.port}`,
      ORRERY_CONFIRMATIONS: String(CONFIRMATIONS),
      ORRERY_DATABASE_URL: `postgres://${user}@127.0.0.1:${wires.database.port}/${database}`,
      ...BEHIND_A_PROXY,
    },
  });
  const clients = await TcpProxy.open({ host: '127.0.0.1', port: Number(new URL(program.url).port) });
  const all = [...Object.values(wires), clients];
  try {
    const alice = await newPerson(program.url, '10.0.0.1');
    const people = [alice, await newPerson(program.url, '10.0.0.2')];
    const vault = (await alice.client.contracts()).exchange as Hex;
    const fairPrice = Number((await alice.client.ticker({ symbol: SYMBOL })).c);
    const asker = { isOver: false };
    const working = people.flatMap(({ key, memory }, person) =>
      Array.from({ length: HANDS }, (_, hand) => {
        const client = createClient({
          baseUrl: `http://127.0.0.1:${clients.port}`,
          credentials: new ApiKeyCredentials(key),
          timeoutMs: CALL_MS,
        });
        return new Hand({ client, memory, verdict, chance, fairPrice, name: `${person}-${hand}` }).work(asker);
      }),
    );
    for (let count = 0; count < FAULTS[dose]; count += 1) {
      if (count % 50 === 0) say(`${count} faults`);
      const wire = chance.pick(all);
      wire.setFault(anyFault(chance));
      if (chance.oneIn(6)) await depositFor(alice, { chain, vault });
      await pause(chance.between(100, 800));
      if (chance.oneIn(2)) for (const one of all) one.heal();
    }
    for (const wire of all) wire.heal();
    asker.isOver = true;
    await Promise.all(working);
    for (const { client, memory } of people) verdict.add(await compareMemory(client, memory));
    await checkDeposits(alice, verdict);
    verdict.same('exit code', await program.stop(), 0);
    const comparison = await compareReadModel({ dataDirectory: join(directory, 'data'), rpcUrl: chain.url, database: server.connection });
    verdict.add(comparison.differences);
    const orders = people.reduce((sum, { memory }) => sum + memory.placed.size, 0);
    const broken = all.reduce((sum, wire) => sum + wire.broken, 0);
    return {
      trials: FAULTS[dose],
      facts: { orders, 'connections broken': broken, 'rows compared': comparison.rows },
      violations: verdict.violations,
    };
  } finally {
    await program.kill();
    for (const wire of all) await wire.close();
    await server.stop();
    await chain.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function anyFault(chance: Chance): WireFault {
  return chance.pick<() => WireFault>([
    () => ({ kind: 'cut', afterBytes: chance.below(3_000) }),
    () => ({ kind: 'slow', delayMs: chance.between(10, 300) }),
    () => ({ kind: 'silent' }),
    () => ({ kind: 'closed' }),
  ])();
}

interface OnePerson {
  readonly person: Person;
  /** By a whole wire. */
  readonly client: Client;
  readonly key: ApiKeyOptions;
  readonly memory: Memory;
  /** Of the coin that is deposited, in funding. */
  wanted: bigint;
}

async function newPerson(url: string, from: string): Promise<OnePerson> {
  const person = await signIn(url, { from });
  await prepareToTrade(url, person);
  const key = await tradeKey(person);
  return { person, key, client: keyClient(url, key), memory: new Memory(), wanted: 0n };
}

async function depositFor(owner: OnePerson, { chain, vault }: { chain: TestChain; vault: Hex }): Promise<void> {
  const amount = parseEther('1');
  await chain.makeRich(owner.person.wallet.address);
  await chain.deposit({ from: owner.person.wallet, vault, amount });
  owner.wanted += amount;
}

async function checkDeposits({ client, wanted }: OnePerson, verdict: Verdict): Promise<void> {
  const found = async (): Promise<bigint> => {
    const [balance] = await client.balances({ account: 'funding', coin: COIN });
    return parseEther(balance?.balance ?? '0');
  };
  await verdict.attempt('deposits', async () => {
    await until('every deposit is credited', async () => (await found()) >= wanted);
    verdict.same('deposits in all', await found(), wanted);
  });
}

interface HandOptions {
  readonly client: Client;
  readonly memory: Memory;
  readonly verdict: Verdict;
  readonly chance: Chance;
  readonly fairPrice: number;
  readonly name: string;
}

/** Places and cancels, and asks until it knows: under the same name, however often. */
class Hand {
  readonly #options: HandOptions;

  constructor(options: HandOptions) {
    this.#options = options;
  }

  async work(asker: { readonly isOver: boolean }): Promise<void> {
    const { memory, verdict, chance, name } = this.#options;
    for (let count = 0; !asker.isOver; count += 1) {
      const clientOrderId = `${name}-${count}`;
      await verdict.attempt(`order ${clientOrderId}`, async () => {
        const answers = await Promise.all(Array.from({ length: chance.oneIn(3) ? 2 : 1 }, () => this.#place(clientOrderId)));
        const [orderId = '', ...others] = answers;
        verdict.check(
          others.every((other) => other === orderId),
          `order ${clientOrderId} was taken as ${answers.join(' and as ')}`,
        );
        memory.placed.set(clientOrderId, orderId);
        if (chance.oneIn(2) && (await this.#cancel(orderId))) memory.canceled.add(orderId);
      });
      await pause(ORDER_PAUSE_MS);
    }
  }

  /** Nothing speaks against it, the first time or again: a refusal is thrown. */
  #place(clientOrderId: string): Promise<string> {
    const { client } = this.#options;
    const [price, direction] = this.#terms(clientOrderId);
    return definitely(() => client.createOrder({ symbol: SYMBOL, direction, tradeType: 'LIMIT', price, totalAmount: SIZE, clientOrderId }));
  }

  /** The same for the same name: the prices of the two people cross now and then. */
  #terms(clientOrderId: string): readonly [string, 'BUY' | 'SELL'] {
    const lot = new Chance(crc32(clientOrderId));
    return [(this.#options.fairPrice + lot.below(100) / 100).toFixed(2).replace(/\.?0+$/, ''), lot.oneIn(2) ? 'BUY' : 'SELL'];
  }

  /** Answers false when it has been filled, or was cancelled by a call whose answer was lost. */
  async #cancel(orderId: string): Promise<boolean> {
    const { client } = this.#options;
    try {
      await definitely(() => client.cancelOrder({ orderId }));
      return true;
    } catch (error) {
      if (error instanceof CallError && error.reason === 'UnknownOrder') return false;
      throw error;
    }
  }
}

/** Answers that say nothing about whether it was done, or that it may be done later. */
const isOpen = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof CallError && (error.status >= 500 || [401, 408, 429].includes(error.status)));

/** @throws CallError when it is refused. */
async function definitely<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await until('there is a definite answer', async () => {
    try {
      return { answer: await ask() };
    } catch (error) {
      if (isOpen(error)) return undefined;
      throw error;
    }
  });
  return answer;
}

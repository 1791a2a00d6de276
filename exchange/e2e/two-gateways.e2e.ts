/**
 * Two processes that serve callers, on one heart and one database, with a worker and a projector: what is used once is used once by both, who may do what is
 * the same at both, and what happens at one is in the history and the news of the other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUTURES_STREAM_PATH, SentFile, SEQ_HEADER, STREAM_PATH } from '@orrery/api';
import { exchangeVaultAbi } from '@orrery/contracts';
import { ApiKeyCredentials, createClient, sessionCredentials, type Client } from '@orrery/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PasskeyDevice } from '../../services/foundation/src/testing/passkey-device.ts';
import { Chance } from '../../core/engine/src/testing/chance.ts';
import { hasNats, NatsServer } from '../src/testing/nats-server.ts';
import { MovingContractReader } from './moving-contract-reader.ts';
import { MovingReader } from './moving-reader.ts';
import { browserFetch, keyClient, prepareToTrade, readKey, signIn, tradeKey, type Person } from './person.ts';
import { startProgram, type Program } from './program.ts';
import { settingsOfRole, settingsOnChain, sharedServer, type SharedServer } from './shared-journal.ts';
import { TestChain } from './test-chain.ts';

const CODE = 'the-first-code-of-all';
const MARKET = 'BTC_USDC';
const MINE_EVERY_MS = 50;
const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
/** Of three people, each taking what another one has offered. */
const ORDERS = 90;
const CONTRACT_TRADES = 20;
const BECOMES_MS = 60_000;

/** What is read of a gateway and what its stream has sent, once both are there. */
const becomesSame = (look: () => Promise<{ read: unknown; sent: unknown }>): Promise<void> =>
  vi.waitFor(
    async () => {
      const { read, sent } = await look();
      expect(sent).toEqual(read);
    },
    { timeout: BECOMES_MS, interval: 100 },
  );

describe.skipIf(!hasNats())('two gateways on one heart and one database', () => {
  let nats: NatsServer;
  let server: SharedServer;
  let chain: TestChain;
  let parent: string;
  let heart: Program;
  let one: Program;
  let two: Program;
  let worker: Program;
  let projector: Program;
  let maker: Program | undefined;
  let from = 0;
  const sockets: WebSocket[] = [];

  const start = (role: string, name: string, more: Readonly<Record<string, string>> = {}): Promise<Program> =>
    startProgram({
      dataDirectory: join(parent, name),
      env: {
        ...settingsOfRole(role, nats),
        ...server.journal,
        ...server.database,
        ...settingsOnChain(chain),
        ORRERY_MASTER_KEY_FILE: join(parent, 'master.key'),
        ORRERY_CONSOLE_CODE: CODE,
        ...more,
      },
    });

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'orrery-gateways-'));
    [nats, server, chain] = await Promise.all([NatsServer.start(), sharedServer(), TestChain.open({ mineEveryMs: MINE_EVERY_MS })]);
    heart = await start('heart', 'heart');
    // In this order: a gateway is ready once history is written.
    projector = await start('projector', 'projector');
    worker = await start('worker', 'worker');
    one = await start('gateway', 'one');
    two = await start('gateway', 'two');
  });

  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await Promise.all([one, two, worker, projector, maker].map(async (program) => program?.stop()));
    await heart?.stop();
    await nats?.kill();
    await chain?.close();
    await server?.stop();
    await rm(parent, { recursive: true, force: true });
  });

  /** A browser that signed in at one, and its session's token at both. */
  async function newcomer(): Promise<{ person: Person; atOne: Client; atTwo: Client }> {
    const jar = new Map<string, string>();
    const ip = `10.9.1.${(from += 1)}`;
    const person = await signIn(one.url, { from: ip, jar });
    const { token } = await createClient({
      baseUrl: one.url,
      credentials: sessionCredentials(() => undefined),
      fetch: browserFetch(one.url, ip, jar),
    }).refresh({});
    const at = ({ url }: Program): Client =>
      createClient({ baseUrl: url, credentials: sessionCredentials(() => token), fetch: browserFetch(url, ip, jar) });
    return { person, atOne: at(one), atTwo: at(two) };
  }

  /** What a stream says first to a message, and when it is closed. */
  async function say({ url }: Program, message: object, path = STREAM_PATH) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
    sockets.push(socket);
    const heard: string[] = [];
    socket.addEventListener('message', ({ data }) => heard.push(String(data)));
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    socket.send(JSON.stringify(message));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    return { first: heard[0] ?? '', isClosed: () => socket.readyState === WebSocket.CLOSED };
  }

  test('[A2] a session of one is good at the other, opens a stream there by a ticket of the first, once, and its end closes both', async () => {
    const { atOne, atTwo } = await newcomer();
    expect(await atTwo.accountInfo()).toEqual(await atOne.accountInfo());
    const ticket = await atOne.streamTicket();
    const stream = await say(two, { sub: 'subUser', token: ticket });
    expect(stream.first).toBe('succeed');
    for (const again of [one, two]) expect((await say(again, { sub: 'subUser', token: ticket })).first).toContain('NotSignedIn');
    await atOne.logout({});
    await expect.poll(() => stream.isClosed()).toBe(true);
    await expect
      .poll(() =>
        atTwo.accountInfo().then(
          () => 'in',
          (error: { reason?: string }) => error.reason,
        ),
      )
      .toBe('SessionExpired');
  });

  test('[A5] a signed call that one took is refused by the other as a replay, and by no other name; another call is taken', async () => {
    const { person } = await newcomer();
    const key = await readKey(person);
    const path = `/spot/v1/u/trade/order/list?symbol=${MARKET}`;
    const credentials = new ApiKeyCredentials(key);
    const headers = async () => ({ ...(await credentials.headers({ method: 'GET', url: new URL(one.url + path), body: '' })) });
    const sent = async (program: Program, signed: Record<string, string>): Promise<string> => {
      const { data } = (await (await fetch(program.url + path, { headers: signed })).json()) as { data: { reason?: string } };
      return data.reason ?? 'taken';
    };
    for (const [first, second] of [
      [one, two],
      [two, one],
    ] as const) {
      const signed = await headers();
      expect([await sent(first, signed), await sent(second, signed), await sent(first, signed)]).toEqual([
        'taken',
        'ReplayedRequest',
        'ReplayedRequest',
      ]);
    }
    const signed = await headers();
    const answers = await Promise.all([one, two, one, two].map((program) => sent(program, signed)));
    expect(answers.toSorted()).toEqual(['ReplayedRequest', 'ReplayedRequest', 'ReplayedRequest', 'taken']);
    for (const { url } of [one, two])
      expect((await keyClient(url, key).openOrders({ symbol: MARKET, page: 1, size: 10 })).items).toEqual([]);
  });

  test('[F4] a listen key of one is that of the other, and opens streams of contracts there', async () => {
    const { atOne, atTwo } = await newcomer();
    const key = await atOne.listenKey({});
    expect(await atTwo.listenKey({})).toBe(key);
    for (const program of [two, one]) {
      const { first } = await say(program, { method: 'SUBSCRIBE', params: [`order@${key}`], id: 7 }, FUTURES_STREAM_PATH);
      expect(first).toBe('{"id":7,"code":0,"msg":"success"}');
    }
  });

  test('an operator becomes one and signs in at one by challenges of the other, each once', async () => {
    const device = new PasskeyDevice();
    const at = ({ url }: Program): Client =>
      createClient({ baseUrl: url, credentials: sessionCredentials(() => undefined), fetch: browserFetch(url, '10.9.2.1', new Map()) });
    const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => 'taken',
        (error: { reason?: string }) => error.reason,
      );
    const { challenge: toMake } = await at(one).passkeyCreation({ code: CODE, name: 'olga' });
    await at(two).registerOperator({ code: CODE, ...device.make(toMake, { origin: two.url }) });
    const { challenge } = await at(two).passkeyRequest({});
    const prove = (program: Program) => at(program).signInOperator(device.prove(challenge, { origin: program.url }));
    expect(await refusalOf(prove(one))).toBe('taken');
    for (const program of [two, one]) expect(await refusalOf(prove(program))).toBe('InvalidPasskey');
  });

  test('a daily limit counts what both have taken', async () => {
    const { atOne, atTwo } = await newcomer();
    const upload = (client: Client): Promise<string | undefined> =>
      client.uploadFile(new SentFile('image/png', Buffer.from('no picture'))).then(
        () => 'taken',
        (error: { reason?: string }) => error.reason,
      );
    for (let count = 0; count < 5; count += 1)
      for (const client of [atOne, atTwo]) expect(await upload(client)).not.toBe('TooManyRequests');
    for (const client of [atTwo, atOne]) expect(await upload(client)).toBe('TooManyRequests');
  });

  test('J1: a trade of two callers is in the history at both; while the projector is away nothing is written, and the next one writes it', async () => {
    const [buyer, seller] = [await signIn(one.url, { from: '10.9.3.1' }), await signIn(two.url, { from: '10.9.3.2' })];
    await prepareToTrade(one.url, buyer);
    await prepareToTrade(two.url, seller);
    const keys = [await tradeKey(buyer), await tradeKey(seller)] as const;
    const trade = async (): Promise<void> => {
      const [buys, sells] = [keyClient(one.url, keys[0]), keyClient(two.url, keys[1])];
      const price = String(Math.floor(Number((await buys.indexPrice({ symbol: MARKET })).p)));
      const terms = { symbol: MARKET, tradeType: 'LIMIT', price, totalAmount: '0.001' } as const;
      await buys.createOrder({ ...terms, direction: 'BUY' });
      await sells.createOrder({ ...terms, direction: 'SELL' });
    };
    const fills = (): Promise<readonly number[]> =>
      Promise.all(
        [one, two].flatMap(({ url }) =>
          keys.map(async (key) => (await keyClient(url, key).fills({ symbol: MARKET, size: 20 })).items.length),
        ),
      );
    await trade();
    await expect.poll(fills).toEqual([1, 1, 1, 1]);
    await projector.kill();
    await trade();
    projector = await start('projector', 'another');
    await expect.poll(fills).toEqual([2, 2, 2, 2]);
  });

  test('[S2] an order of one is changed, read and closed at the other at once, and so is what is read up to the seq of the other', async () => {
    const { person, atOne } = await newcomer();
    await prepareToTrade(one.url, person);
    const key = await tradeKey(person);
    let committed = 0;
    const noting: typeof fetch = async (...call) => {
      const answer = await fetch(...call);
      committed = Math.max(committed, Number(answer.headers.get(SEQ_HEADER) ?? 0));
      return answer;
    };
    const clients = [one, two].map(({ url }) => createClient({ baseUrl: url, credentials: new ApiKeyCredentials(key), fetch: noting }));
    const price = Math.floor(Number((await atOne.indexPrice({ symbol: MARKET })).p) * 0.9);
    const terms = { symbol: MARKET, tradeType: 'LIMIT', direction: 'BUY', totalAmount: '0.001' } as const;
    for (let count = 0; count < 10; count += 1) {
      const [here, there] = (count % 2 === 0 ? clients : clients.toReversed()) as [Client, Client];
      const orderId = await here.createOrder({ ...terms, price: String(price) });
      await there.updateOrder({ orderId, price: String(price - 1) });
      const clientOrderId = `of-one-${count}`;
      const named = await here.createOrder({ ...terms, price: String(price), clientOrderId });
      expect((await there.order({ clientOrderId })).orderId).toBe(named);
      const other = await here.createOrder({ ...terms, price: String(price) });
      expect((await there.order({ orderId: other })).price).toBe(String(price));
      await here.cancelOrders({ orderIds: [orderId, named, other] });
      expect((await there.openOrders({ minSeq: committed })).items).toEqual([]);
    }
    expect(committed).toBeGreaterThan(0);
  });

  test(`[S1, S2] streams move between gateways while trades go on: no trade is missing, every depth is proven; seed ${SEED}`, async () => {
    const chance = new Chance(SEED);
    const people = await Promise.all(
      [0, 1, 2].map(async () => {
        const { person, atOne, atTwo } = await newcomer();
        await prepareToTrade(one.url, person);
        const key = await tradeKey(person);
        const gates = [
          { url: one.url, client: atOne, trading: keyClient(one.url, key) },
          { url: two.url, client: atTwo, trading: keyClient(two.url, key) },
        ] as const;
        const reader = new MovingReader(MARKET);
        await reader.move(gates[0]);
        return { gates, reader };
      }),
    );
    const around = Math.floor(Number((await createClient({ baseUrl: one.url }).indexPrice({ symbol: MARKET })).p));
    for (let count = 0; count < ORDERS; count += 1) {
      const { gates, reader } = chance.pick(people);
      const moving = chance.oneIn(5) ? reader.move(chance.pick(gates)) : undefined;
      await chance.pick(gates).trading.createOrder({
        symbol: MARKET,
        tradeType: 'LIMIT',
        direction: chance.pick(['BUY', 'SELL']),
        price: String(around + chance.between(-3, 3)),
        // So little that nobody runs out of either coin, whatever is drawn.
        totalAmount: `0.000${chance.between(3, 9)}`,
      });
      await moving;
    }
    for (const { gates, reader } of people) {
      for (const { url, client, trading } of gates) {
        // What was read and what was sent are compared again and again: either may come last.
        await becomesSame(async () => {
          const fills = (await trading.fills({ symbol: MARKET, size: 100 })).items;
          const read = fills.map(({ execId, takerMaker }) => `${execId} ${takerMaker}`).toSorted();
          return { read, sent: [...reader.trades.keys()].toSorted() };
        });
        await becomesSame(async () => {
          const open = (await trading.openOrders({ size: 100 })).items;
          return { read: open.map(({ orderId }) => orderId).toSorted(), sent: reader.openOrders };
        });
        await becomesSame(async () => {
          const held = await client.balances({ account: 'spot' });
          return { read: Object.fromEntries(held.map(({ coin, balance }) => [coin, balance])), sent: reader.balances };
        });
        await becomesSame(async () => {
          const { b, a } = await createClient({ baseUrl: url }).depth({ symbol: MARKET });
          return { read: [b, a], sent: [reader.bids.slice(0, b.length), reader.asks.slice(0, a.length)] };
        });
      }
      expect(reader.trades.size).toBeGreaterThan(0);
      expect(reader.faults).toEqual([]);
      reader.close();
    }
  });

  test(`[F4] private streams of contracts end and go on at another gateway while trades go on: no trade is missing; seed ${SEED}`, async () => {
    const chance = new Chance(SEED);
    const people = await Promise.all(
      [0, 1].map(async () => {
        const { person, atOne, atTwo } = await newcomer();
        await prepareToTrade(one.url, person);
        await atOne.transfer({ coin: 'USDC', amount: '5000', from: 'spot', to: 'futures' });
        const key = await tradeKey(person);
        const gates = [
          { url: one.url, client: atOne, trading: keyClient(one.url, key) },
          { url: two.url, client: atTwo, trading: keyClient(two.url, key) },
        ] as const;
        const reader = new MovingContractReader();
        await reader.move(gates[0]);
        return { gates, reader };
      }),
    );
    const price = String(Math.floor(Number((await createClient({ baseUrl: one.url }).markPrice({ symbol: MARKET })).p)));
    const place = ({ gates }: (typeof people)[number], orderSide: 'BUY' | 'SELL'): Promise<unknown> =>
      chance.pick(gates).trading.createFuturesOrder({ symbol: MARKET, orderType: 'LIMIT', orderSide, price, origQty: '0.001' });
    for (let count = 0; count < CONTRACT_TRADES; count += 1) {
      const [maker, taker] = chance.oneIn(2) ? people : people.toReversed();
      if (maker === undefined || taker === undefined) continue;
      const trade = async (): Promise<void> => {
        await place(maker, 'SELL');
        await place(taker, 'BUY');
      };
      const { gates, reader } = chance.pick(people);
      await (chance.oneIn(3) ? reader.move(chance.pick(gates), trade) : trade());
    }
    for (const { gates, reader } of people) {
      await becomesSame(async () => {
        const fills = (await chance.pick(gates).trading.futuresFills({ symbol: MARKET, size: 100 })).items;
        const read = fills.map(({ execId, takerMaker }) => `${execId} ${takerMaker}`).toSorted();
        return { read, sent: [...reader.trades.keys()].toSorted() };
      });
      expect(reader.trades.size).toBe(CONTRACT_TRADES);
      expect(reader.faults).toEqual([]);
      reader.close();
    }
  });

  test('[T9] what is claimed at one is paid by the worker on the chain of all, credited once, and there at both', async () => {
    const { person, atOne, atTwo } = await newcomer();
    await prepareToTrade(one.url, person);
    const balances = await Promise.all([atOne, atTwo].map((client) => client.balances({ account: 'spot' })));
    expect(balances[0]?.length).toBeGreaterThan(0);
    expect(balances[1]).toEqual(balances[0]);
    // Nobody has put a second set of contracts there, and all are of the same.
    const logs = await chain.client.getContractEvents({ abi: exchangeVaultAbi, eventName: 'Deposited', fromBlock: 0n });
    expect(new Set(logs.map(({ address }) => address)).size).toBe(1);
  });

  test('[S1] a market-maker in a process of its own gets its money on the chain, and quotes at both', async () => {
    const bids = (): Promise<readonly boolean[]> =>
      Promise.all(
        [one, two].map(async ({ url }) => {
          const { b, a } = await createClient({ baseUrl: url }).depth({ symbol: MARKET });
          return b.length > 10 && a.length > 10;
        }),
      );
    expect(await bids()).toEqual([false, false]);
    maker = await start('market-maker', 'maker', { ORRERY_MARKET_MAKER: 'on' });
    await expect.poll(bids).toEqual([true, true]);
  });
});

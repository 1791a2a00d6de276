import { accountId, type AccountId, assert, assetId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';
import { EXPORT_FILES, EXPORTS_PER_DAY, type Export, type ExportFileName } from '@orrery/api';
import type { BalanceChanged, Command, Wallet } from '@orrery/protocol';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updatesIn } from '../../../api/src/testing/updates.ts';
import { RandomFutures } from '../../../core/engine/src/testing/random-futures.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { emptyProjection, ExportJobs } from './index.ts';
import { type CsvRow, importCoinTracking, importKoinly, parseCsv, unitsOf } from './testing/importers.ts';
import { seededRandom } from './testing/market-day.ts';
import { Room, type StartedProjector } from './testing/room.ts';
import { type ExportWriter, startExportWriter } from './export-writer.ts';

/** The second sells several collaterals by one command, and liquidates. */
const SEEDS = [Math.floor(Math.random() * 2 ** 31), 18] as const;
let seed: number = SEEDS[0];
const COMMANDS = 4_000;
const [ALICE, BOB] = [accountId(2), accountId(3)];
const [BTC_SPOT, USDC, POINTS] = [marketId(1), assetId(1), assetId(7)];
const LINK_KEY = Buffer.alloc(32, 7);
const ALL_FILES = Object.keys(EXPORT_FILES).filter((file) => file !== 'koinly' && file !== 'cointracking');

let room: Room;
let heart: MemoryHeart;
let projector: StartedProjector;
let jobs: ExportJobs;
let writer: ExportWriter | undefined;
const clock = { now: 0 };
/** Of the exports: unlike the journal's it moves by what a test says. */
let wall = 1_800_000_000_000;
let random: () => number;

/** Trading in spot and in contracts of both margins, transfers, deposits, withdrawals, awards, funding and liquidations. */
class Life {
  readonly #futures = new RandomFutures(seed);
  #things = 0;

  async open(): Promise<void> {
    for (const timed of this.#futures.opening()) await this.#submit(timed.command, timed.at);
    await this.#submit({ type: 'RegisterAsset', asset: POINTS, code: 'POINTS', decimals: 0, kind: 'internal' });
    await this.#submit({ type: 'FundBudget', budget: 'rewards', asset: POINTS, amount: atoms(1_000_000n), key: 'points' });
  }

  async live(commands: number): Promise<void> {
    for (let n = 0; n < commands; n++) {
      const { at, command } = this.#futures.next();
      await this.#submit(random() < 0.2 ? this.#other() : command, at);
    }
  }

  #other(): Command {
    const below = (bound: number): number => Math.floor(random() * bound);
    this.#things += 1;
    const account = accountId(2 + below(5));
    const amount = atoms(BigInt(1 + below(1_000_000)));
    const withdrawalId = `0x${this.#things.toString(16).padStart(64, '0')}`;
    switch (below(9)) {
      case 0:
        return {
          type: 'CreditDeposit',
          key: `1:${withdrawalId}:${below(9)}`,
          address: this.#addressOf(account),
          asset: USDC,
          amount: atoms(50n * amount),
        };
      case 1:
        return { type: 'RequestWithdrawal', account, withdrawalId, asset: USDC, amount, to: `0x${'9'.repeat(40)}` as never };
      case 2:
        return { type: 'PostWithdrawal', withdrawalId: this.#earlier(), txHash: withdrawalId };
      case 3:
        return { type: 'WithdrawInternally', account, withdrawalId, asset: USDC, amount, to: this.#addressOf(accountId(2 + below(5))) };
      case 4:
        return {
          type: 'AwardFromBudget',
          budget: 'rewards',
          account,
          asset: POINTS,
          amount: atoms(BigInt(1 + below(50))),
          key: `award:${this.#things}`,
        };
      case 5:
        return { type: 'MarkWithdrawalSent', withdrawalId: this.#earlier(), txHash: withdrawalId };
      default:
        return spotOrder(account, below);
    }
  }

  #earlier(): string {
    const held = heart.history.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'WithdrawalHeld' ? [event.withdrawalId] : [])),
    );
    return held[Math.floor(random() * held.length)] ?? '';
  }

  #addressOf(account: AccountId) {
    const opened = heart.history
      .flatMap(({ events }) => events)
      .find((event) => event.type === 'AccountOpened' && event.account === account);
    assert(opened?.type === 'AccountOpened', 'the account is open');
    return opened.address;
  }

  async #submit(command: Command, at = clock.now): Promise<void> {
    clock.now = Math.max(clock.now, at);
    this.#futures.follow((await heart.submit(command)).events);
    for (let more = heart.continuation(); more !== undefined; more = heart.continuation())
      this.#futures.follow((await heart.submit(more)).events);
  }
}

const spotOrder = (account: AccountId, below: (bound: number) => number): Command => ({
  type: 'PlaceOrder',
  account,
  market: BTC_SPOT,
  clientOrderId: below(3) === 0 ? `-c${below(1_000_000)}` : '',
  side: below(2) === 0 ? 'buy' : 'sell',
  orderType: 'limit',
  timeInForce: below(3) === 0 ? 'IOC' : 'GTC',
  price: ticks(600_000 + below(4_000) - 2_000),
  size: lots(1 + below(2_000)),
  funds: atoms(0n),
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
});

let life: Life;

beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());
beforeEach(async () => {
  random = seededRandom(seed);
  await room.db.sql.deleteFrom('projector_export').execute();
  await emptyProjection(room.db.sql);
  clock.now = 0;
  heart = new MemoryHeart(() => clock.now);
  life = new Life();
  await life.open();
  projector = await room.start(heart);
  jobs = new ExportJobs({
    db: room.db.sql,
    seq: () => heart.status().seq,
    now: () => wall,
    linkKey: LINK_KEY,
    onWaiting: () => writer?.wake(),
  });
});
afterEach(async () => {
  await writer?.stop();
  writer = undefined;
  await projector.stop();
  room.troubles.length = 0;
});

/** One that stops after one step where `steps` is so. */
function write(steps: 'all' | 'one' = 'all'): ExportWriter {
  return startExportWriter({
    db: room.db.sql,
    listed: () => projector.listed(),
    onTrouble: (error) => room.troubles.push(error),
    now: () => wall,
    ...(steps === 'one' ? { isBusy: () => true, timer: () => () => undefined } : {}),
  });
}

async function ready(account: AccountId, exportId: string): Promise<Export> {
  for (;;) {
    const found = (await jobs.list(account)).find((each) => each.exportId === exportId);
    if (found?.state === 'READY' || found?.state === 'FAILED') return found;
    expect(room.troubles).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function download(account: AccountId, exportId: string, file: ExportFileName): Promise<string> {
  const { url } = await jobs.link(account, { exportId, file });
  const query = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
  const sent = await jobs.download({ ...query, expires: Number(query['expires']) } as never);
  const pieces: Uint8Array[] = [];
  for await (const piece of sent.pieces) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  expect(Buffer.byteLength(text)).toBe(sent.bytes);
  return text;
}

type Wish = Parameters<ExportJobs['create']>[1];

/** Every file of a new export of the account. */
async function exported(account: AccountId, wish: Wish = {}): Promise<Readonly<Record<string, string>>> {
  wall += 86_400_000;
  const { exportId } = await jobs.create(account, wish);
  writer ??= write();
  writer.wake();
  const made = await ready(account, exportId);
  expect(made).toMatchObject({ state: 'READY', progress: 100, restarts: 0 });
  const files: Record<string, string> = {};
  for (const { file, rows, bytes } of made.files) {
    files[file] = await download(account, exportId, file);
    expect([parseCsv(files[file]).length, Buffer.byteLength(files[file])]).toEqual([rows, bytes]);
  }
  return files;
}

/** What the engine says that each wallet held of each coin after the commands before `until`, in units of 10^-18. */
function balances(
  account: AccountId,
  until = Infinity,
  wallets: readonly Wallet[] = ['funding', 'spot', 'futures', 'coinFutures'],
): Map<string, bigint> {
  const last = new Map<string, BalanceChanged>();
  for (const { at, events } of heart.history) {
    if (at > until) break;
    for (const event of events)
      if (event.type === 'BalanceChanged' && event.account === account && wallets.includes(event.wallet))
        last.set(`${event.wallet}:${event.asset}`, event);
  }
  return new Map(
    [...last].map(([key, { asset, free, held }]) => {
      const { decimals = 0, code = '' } = projector.listed().markets.asset(asset) ?? {};
      return [`${key.split(':', 1)[0]} ${code}`, (free + held) * 10n ** BigInt(18 - decimals)];
    }),
  );
}

const nonZero = (sums: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> =>
  new Map([...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));

function byCoin(sums: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> {
  const coins = new Map<string, bigint>();
  for (const [key, sum] of sums) {
    const coin = key.split(' ')[1] ?? '';
    if (coin !== 'POINTS') coins.set(coin, (coins.get(coin) ?? 0n) + sum);
  }
  return coins;
}

function summed(rows: readonly CsvRow[], keyOf: (row: CsvRow) => string, column: string): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of rows) if (row[column] !== '') sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + unitsOf(row[column] ?? ''));
  return sums;
}

const CAMEL: Readonly<Record<string, string>> = { coin_futures: 'coinFutures' };
const walletCoin = ({ wallet = '', coin = '' }: CsvRow): string => `${CAMEL[wallet] ?? wallet} ${coin}`;

describe.each(SEEDS)('random activity (seed %i)', (given) => {
  beforeAll(() => {
    seed = given;
  });

  test(
    'the files of each account add up to the change of its balances, join by their ids, and are what importers take',
    { timeout: 60_000 },
    async () => {
      await life.live(COMMANDS);
      await projector.reached(heart.status().seq);
      const kinds = new Set<string>();
      for (const account of [2, 3, 4, 5].map(accountId)) {
        const files = await exported(account);
        expect(Object.keys(files).sort()).toEqual(ALL_FILES.toSorted());
        const [bills = [], fills = [], orders = []] = [files['bills'], files['fills'], files['orders']].map((text) => parseCsv(text ?? ''));
        for (const { type = '' } of bills) kinds.add(type);
        expect(nonZero(summed(bills, walletCoin, 'amount'))).toEqual(nonZero(balances(account)));
        // Fees of fills are those of bills, by trade; so is what they realised, where a trade did it.
        const ofTrade = (row: CsvRow): string => row['trade_id'] ?? '';
        const fees = summed(
          bills.filter(({ type }) => type === 'fee'),
          ofTrade,
          'amount',
        );
        const paid = summed(fills, ofTrade, 'fee');
        expect(nonZero(new Map([...paid].map(([id, fee]) => [id, -fee])))).toEqual(nonZero(fees));
        // What an order filled is the sum of its fills.
        const filled = summed(fills, ({ order_id: id = '' }) => id, 'size');
        for (const order of orders) expect(unitsOf(order['filled_size'] ?? '')).toBe(filled.get(order['order_id'] ?? '') ?? 0n);
        const [awards = [], funding = [], deposits = []] = [files['awards'], files['funding'], files['deposits']].map((text) =>
          parseCsv(text ?? ''),
        );
        for (const [rows, type] of [
          [awards, 'award'],
          [funding, 'funding'],
          [deposits, 'deposit'],
        ] as const)
          expect(rows.filter((row) => row['type'] === undefined || row['type'] === type).map((row) => row['bill_id'])).toEqual(
            bills.filter((row) => row['type'] === type).map((row) => row['bill_id']),
          );
        const sums = nonZero(byCoin(balances(account)));
        expect(nonZero(importKoinly((await exported(account, { layout: 'KOINLY' }))['koinly'] ?? ''))).toEqual(sums);
        expect(nonZero(importCoinTracking((await exported(account, { layout: 'COINTRACKING' }))['cointracking'] ?? ''))).toEqual(sums);
      }
      for (const kind of [
        'trade',
        'fee',
        'profit',
        'transfer',
        'deposit',
        'withdraw',
        'internal',
        'award',
        ...(given === SEEDS[1] ? ['funding', 'liquidation', 'collateral'] : []),
      ])
        expect([...kinds].sort()).toContain(kind);
    },
  );

  test('of a period and some wallets they add up to what these changed by in it', { timeout: 60_000 }, async () => {
    await life.live(1_500);
    await projector.reached(heart.status().seq);
    const times = heart.history.map(({ at }) => at);
    const [from = 0, to = 0] = [times[Math.floor(times.length * 0.4)], times[Math.floor(times.length * 0.8)]];
    const period = { startTime: from, endTime: to };
    for (const wallets of [['spot'], ['futures', 'coinFutures']] as Wallet[][]) {
      const wish = { ...period, accounts: wallets };
      const changed = new Map(
        [...balances(ALICE, to, wallets)].map(([key, sum]) => [key, sum - (balances(ALICE, from - 1, wallets).get(key) ?? 0n)]),
      );
      const bills = parseCsv((await exported(ALICE, { ...wish, kinds: ['BILLS'] }))['bills'] ?? '');
      expect(nonZero(summed(bills, walletCoin, 'amount'))).toEqual(nonZero(changed));
      const coins = nonZero(byCoin(changed));
      expect(nonZero(importKoinly((await exported(ALICE, { ...wish, layout: 'KOINLY' }))['koinly'] ?? ''))).toEqual(coins);
      expect(nonZero(importCoinTracking((await exported(ALICE, { ...wish, layout: 'COINTRACKING' }))['cointracking'] ?? ''))).toEqual(
        coins,
      );
    }
  });
});

const MANY = 100_000;

test('100,000 rows of each kind are complete, in bounded steps', { timeout: 120_000 }, async () => {
  const account = accountId(999_999);
  await projector.reached(heart.status().seq);
  await sql`insert into projector_bill select n, 1, ${clock.now}, ${account}, 'spot', ${USDC}, 'FEE', n, n, n::text, null
    from generate_series(1000000001, 1000000000 + ${MANY}::int) n`.execute(room.db.sql);
  await sql`insert into projector_fill (trade_id, role, account, order_id, client_order_id, market, side, price, size, notional, fee, at, seq)
    select n, 'TAKER', ${account}, n, 'c' || n, ${BTC_SPOT}, 'buy', 600000, 100, 600000, 1, ${clock.now}, 1
    from generate_series(1000000001, 1000000000 + ${MANY}::int) n`.execute(room.db.sql);
  const [begun, before] = [performance.now(), process.memoryUsage().heapUsed];
  wall += 86_400_000;
  const { exportId } = await jobs.create(account, { kinds: ['BILLS', 'FILLS'] });
  writer = write();
  const made = await ready(account, exportId);
  const [ms, mib] = [performance.now() - begun, (process.memoryUsage().heapUsed - before) / 2 ** 20];
  expect(made.files.map(({ file, rows }) => [file, rows])).toEqual([
    ['fills', MANY],
    ['bills', MANY],
  ]);
  const bills = parseCsv(await download(account, exportId, 'bills'));
  const total = bills.reduce((sum, row) => sum + unitsOf(row['amount'] ?? ''), 0n);
  expect([bills.length, new Set(bills.map((row) => row['bill_id'])).size]).toEqual([MANY, MANY]);
  expect(total).toBe(((BigInt(MANY) * BigInt(MANY + 1)) / 2n + 1_000_000_000n * BigInt(MANY)) * 10n ** 12n);
  const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(
    `${2 * MANY} rows, ${(bytes / 2 ** 20).toFixed(1)} MiB: ${(ms / 1_000).toFixed(1)} s, heap ${mib.toFixed(0)} MiB more\n`,
  );
});

describe('a job', () => {
  beforeEach(async () => {
    await life.live(300);
    await projector.reached(heart.status().seq);
  });

  const oneStep = async (exportId: string): Promise<void> => {
    const first = write('one');
    while ((await jobs.list(ALICE)).find((each) => each.exportId === exportId)?.state !== 'RUNNING')
      await new Promise((resolve) => setTimeout(resolve, 5));
    await first.stop();
  };

  const filesOf = async (exportId: string): Promise<Readonly<Record<string, string>>> => {
    writer = write();
    const made = await ready(ALICE, exportId);
    await writer.stop();
    writer = undefined;
    const files: Record<string, string> = {};
    for (const { file } of made.files) files[file] = await download(ALICE, exportId, file);
    return files;
  };

  /** Without what becomes of a withdrawal later: its row has the state of the moment at which it is written. */
  const asRequested = (files: Readonly<Record<string, string>>): unknown => ({
    ...files,
    withdrawals: parseCsv(files['withdrawals'] ?? '').map(
      ({ state: _state, updated_time: _updatedTime, transaction_hash: _hash, ...requested }) => requested,
    ),
  });

  test('goes on where it stopped, and what happens meanwhile changes nothing', async () => {
    const expected = await exported(ALICE);
    await writer?.stop();
    writer = undefined;
    const { exportId } = await jobs.create(ALICE, {});
    await oneStep(exportId);
    await life.live(200);
    await projector.reached(heart.status().seq);
    expect(asRequested(await filesOf(exportId))).toEqual(asRequested(expected));
    expect((await jobs.list(ALICE)).find((each) => each.exportId === exportId)).toMatchObject({ restarts: 0 });
  });

  test('begins again when history is rebuilt, says so, and waits until history is as far as it was', async () => {
    const expected = await exported(ALICE);
    await writer?.stop();
    writer = undefined;
    const { exportId } = await jobs.create(ALICE, {});
    await oneStep(exportId);
    await projector.stop();
    await emptyProjection(room.db.sql);
    writer = write();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await jobs.list(ALICE)).find((each) => each.exportId === exportId)).toMatchObject({ state: 'WAITING', rows: 0, restarts: 1 });
    await writer.stop();
    projector = await room.start(heart);
    expect(await filesOf(exportId)).toEqual(expected);
  });

  test('is one at a time of an account, ten within a day, and kept for a week', async () => {
    expect([...updatesIn('services/projector/src/exports.test.ts')].sort()).toEqual(['createExport', 'retryExport']);
    const atOnce = await Promise.allSettled([jobs.create(ALICE, {}), jobs.create(ALICE, {}), jobs.create(BOB, {})]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    writer = write();
    for (let made = 1; made < EXPORTS_PER_DAY; made++) {
      for (const { exportId } of await jobs.list(ALICE)) await ready(ALICE, exportId);
      wall += 1;
      await jobs.create(ALICE, { kinds: ['AWARDS'] });
    }
    const [newest] = await jobs.list(ALICE);
    await ready(ALICE, newest?.exportId ?? '');
    await expect(jobs.create(ALICE, {})).rejects.toMatchObject({ data: { reason: 'TooMany' } });
    wall += 86_400_001;
    await ready(ALICE, (await jobs.create(ALICE, {})).exportId);
    wall += 7 * 86_400_000;
    expect(await jobs.list(ALICE)).toEqual([]);
    await writer.stop();
    writer = write();
    await expect.poll(() => room.db.sql.selectFrom('projector_export_piece').select('number').execute()).toEqual([]);
  });

  test('is at one of two processes at a time: at what one stands still the other is not, until the one is killed', async () => {
    const expected = await exported(ALICE);
    await writer?.stop();
    writer = undefined;
    const { exportId } = await jobs.create(ALICE, {});
    const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paused = room.db.sql.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reached.resolve();
        await resumed.promise;
        return result;
      },
    });
    const troubles: unknown[] = [];
    const parts = { listed: () => projector.listed(), now: () => wall };
    const one = startExportWriter({ ...parts, db: paused, onTrouble: (error) => troubles.push(error) });
    await reached.promise;
    const { exportId: others } = await jobs.create(BOB, {});
    writer = write();
    expect(await ready(BOB, others)).toMatchObject({ state: 'READY' });
    expect((await jobs.list(ALICE)).find((each) => each.exportId === exportId)).toMatchObject({ state: 'WAITING', rows: 0 });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(room.db.sql);
    writer.wake();
    expect(await ready(ALICE, exportId)).toMatchObject({ state: 'READY', restarts: 0 });
    await writer.stop();
    writer = undefined;
    expect(await filesOf(exportId)).toEqual(expected);
    resumed.resolve();
    await one.stop();
    expect(troubles.length).toBeGreaterThan(0);
    expect(await filesOf(exportId)).toEqual(expected);
  });

  test('that has failed is tried again once, by name', async () => {
    const { exportId } = await jobs.create(ALICE, {});
    await room.db.sql
      .updateTable('projector_export')
      .set({ state: 'failed', failure: 'ERROR' })
      .where('export_id', '=', exportId)
      .execute();
    await expect(jobs.retry(BOB, exportId)).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    const tries = await Promise.allSettled([jobs.retry(ALICE, exportId), jobs.retry(ALICE, exportId)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    writer = write();
    expect(await ready(ALICE, exportId)).toMatchObject({ state: 'READY', restarts: 1 });
  });

  test('is its owner’s alone, its links are good for a minute, and it is gone with the person', async () => {
    const { exportId } = await jobs.create(ALICE, { kinds: ['BILLS'] });
    const file = 'bills';
    await expect(jobs.link(ALICE, { exportId, file })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    writer = write();
    await ready(ALICE, exportId);
    expect(await jobs.list(BOB)).toEqual([]);
    await expect(jobs.link(BOB, { exportId, file })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    await expect(jobs.link(ALICE, { exportId, file: 'fills' })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    const { url } = await jobs.link(ALICE, { exportId, file });
    const query = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1])) as Record<string, string>;
    const asked = { exportId, file, expires: Number(query['expires']), signature: query['signature'] ?? '' } as const;
    await expect(jobs.download({ ...asked, expires: asked.expires + 1 })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    await expect(jobs.download({ ...asked, file: 'fills' })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    expect((await jobs.download(asked)).name).toMatch(/^orrery-bills-[0-9a-f]{8}\.csv$/);
    await jobs.erase({ account: ALICE });
    await expect(jobs.download(asked)).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    expect(await jobs.list(ALICE)).toEqual([]);
    expect(await room.db.sql.selectFrom('projector_export_piece').select('number').execute()).toEqual([]);
  });

  test('writes no cell that a spreadsheet takes for a formula, unless it is a number', async () => {
    const order = spotOrder(ALICE, () => 0);
    await heart.submit({ ...order, clientOrderId: '-cmd', side: 'buy', price: ticks(590_000) } as Command);
    await projector.reached(heart.status().seq);
    const files = await exported(ALICE);
    const cells = Object.values(files).flatMap((text) => parseCsv(text).flatMap((row) => Object.values(row)));
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell))).toEqual([]);
    expect(cells.some((cell) => cell === "'-cmd")).toBe(true);
  });
});

/** Readers of the stream that stop reading while the tape runs fast. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { STREAM_PATH } from '@orrery/api';
import { createClient, Stream } from '@orrery/sdk';
import { WebSocket } from 'ws';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { quantile, SteadyTrader } from '../instruments/steady-trader.ts';
import { Verdict } from '../instruments/verdict.ts';
import type { ServedTape } from '../program/serve-tape.ts';

const SLOW_READERS = 100;
const GOOD_READERS = 5;
const SYMBOL = 'SOL_USDC';
const ROUNDS = { small: 1, large: 10 } as const;
/** The tape runs in pieces, until the laggards are gone: how much it tells in a second is the machine's matter. */
const PIECE_MS = 4_000;
const PIECES_MAX = 30;
const ALONE_PIECES = 3;
/** For each laggard 4 MiB may wait before it is closed; the rest is for what the busy program does not clear away at once. */
const GROWTH_MAX_MIB = 4 * SLOW_READERS + 200;
const PROGRAM = fileURLToPath(new URL('../program/serve-tape.ts', import.meta.url));

export const slowReaders: Experiment = {
  id: 'E13',
  title: 'a hundred readers of the stream stop reading',
  mustHold: 'laggards are closed, memory stays bounded, everyone else keeps a proven book and trades on',
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

async function run(dataDirectory: string, { dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const rounds = ROUNDS[dose];
  const tape = await startTape(dataDirectory);
  try {
    const person = await signIn(tape.url, { from: '10.9.0.1' });
    await prepareToTrade(tape.url, person);
    const trader = new SteadyTrader({ client: keyClient(tape.url, await tradeKey(person)), chance: new Chance(seed), name: 'steady' });
    const readers = Array.from({ length: GOOD_READERS }, () => new GoodReader(tape.url));
    trader.start();
    let trades = 0;
    // First the tape runs for nobody: what the program needs for it alone is no matter of the laggards.
    for (let piece = 0; piece < ALONE_PIECES; piece += 1) trades += await tape.run(PIECE_MS);
    const usual = trader.take();
    const before = memoryOf(tape.pid);
    let peak = before;
    const watching = setInterval(() => (peak = Math.max(peak, memoryOf(tape.pid))), 250);
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round}`);
      const laggards = await Promise.all(Array.from({ length: SLOW_READERS }, (_, index) => openLaggard(tape.url, index)));
      let pieces = 0;
      for (; pieces < PIECES_MAX && !(await areGone(tape.url)); pieces += 1) trades += await tape.run(PIECE_MS);
      verdict.check(pieces < PIECES_MAX, `after ${trades} trades laggards are still there`);
      for (const laggard of laggards) laggard.terminate();
    }
    clearInterval(watching);
    const disturbed = trader.take();
    await trader.stop();
    verdict.same('orders that failed', trader.failures, []);
    for (const reader of readers) reader.check(verdict);
    const growth = peak - before;
    verdict.check(growth <= GROWTH_MAX_MIB, `the program grew by ${growth} MiB`);
    const p99 = `${quantile(usual, 0.99)} ms without laggards, ${quantile(disturbed, 0.99)} ms with`;
    return { trials: rounds * SLOW_READERS, facts: { trades, 'growth in MiB': growth, 'orders p99': p99 }, violations: verdict.violations };
  } finally {
    await tape.stop();
  }
}

interface Tape extends ServedTape {
  /** @returns the trades that were made. */
  run(ms: number): Promise<number>;
  stop(): Promise<void>;
}

async function startTape(dataDirectory: string): Promise<Tape> {
  const env = { ...process.env, ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_MARKET_MAKER: 'off', ORRERY_PROXY_HOPS: '1' };
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const served = (await nextLine(lines)) as ServedTape;
  return {
    ...served,
    async run(ms) {
      child.stdin.write(`${ms}\n`);
      const { trades } = (await nextLine(lines)) as { trades: number };
      return trades;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** When the program has ended, so have its lines. */
async function nextLine(lines: AsyncIterator<string>): Promise<unknown> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error('the program has ended');
  return JSON.parse(value);
}

/** Reads everything, and proves what it was told. */
class GoodReader {
  readonly #stream: Stream;
  readonly #states: string[] = [];
  #deals = 0;
  #lost = 0;
  #proven = 0;

  constructor(url: string) {
    this.#stream = new Stream({ baseUrl: url, onState: (state) => this.#states.push(state) });
    this.#stream.market(SYMBOL, {
      onDeal: () => (this.#deals += 1),
      onDepth: () => (this.#proven += 1),
      onDepthLost: () => (this.#lost += 1),
    });
  }

  /** Deals may be left out for a reader that this machine keeps waiting; the book may never be wrong. */
  check(verdict: Verdict): void {
    verdict.same('how often a good reader was cut off', this.#states.filter((state) => state === 'waiting').length, 0);
    verdict.same('how often the book of a good reader was wrong', this.#lost, 0);
    verdict.check(this.#proven > 0 && this.#deals > 0, 'a good reader was told nothing');
    this.#stream.close();
  }
}

async function openLaggard(url: string, index: number): Promise<WebSocket> {
  const address = new URL(STREAM_PATH, url.replace(/^http/, 'ws'));
  const socket = new WebSocket(address, { headers: { 'x-forwarded-for': `10.8.${index >> 4}.${index & 15}` }, perMessageDeflate: false });
  // It is cut off in the end: that is what it is for.
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify({ sub: 'subSymbol', symbol: SYMBOL }));
  await once(socket, 'message');
  socket.pause();
  return socket;
}

async function areGone(url: string): Promise<boolean> {
  const { connections } = await createClient({ baseUrl: url }).status();
  return connections <= GOOD_READERS;
}

/** Resident, in MiB. */
function memoryOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kibibytes ?? 0) / 1024);
}

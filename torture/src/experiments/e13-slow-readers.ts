/** Readers of the stream that stop reading while the tape runs fast. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Stream } from '@orrery/sdk';
import { assert } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY } from '../../../exchange/e2e/program.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { quantile, SteadyTrader } from '../instruments/steady-trader.ts';
import { Laggard, LOOK_MS, Watch } from '../instruments/laggard.ts';
import { Verdict } from '../instruments/verdict.ts';
import type { ServedTape, TapePiece } from '../program/serve-tape.ts';

const SLOW_READERS = 100;
const GOOD_READERS = 5;
const SYMBOL = 'SOL_USDC';
const ROUNDS = { small: 1, large: 10 } as const;
/** The tape runs in pieces, until the laggards are gone: its rate depends on the machine. */
const PIECE_MS = 2_000;
const PIECES_MAX = 60;
const ALONE_PIECES = 5;
const MIB = 2 ** 20;
/** All laggards together, beside what the trades themselves leave in memory. */
const HELD_MAX_MIB = 64;
/** A reader with more bytes waiting is behind; the next two are the time it may be behind, and the time for its closing handshake. */
const BEHIND_BYTES = MIB;
const BEHIND_MAX_MS = 5_000;
const GOODBYE_MS = 2_000;
/** A reader that reads nothing receives no ping either: the heartbeat timeout closes it, behind or not. */
const SILENT_MAX_MS = 45_000;
const PROGRAM = fileURLToPath(new URL('../program/serve-tape.ts', import.meta.url));

export const slowReaders: Experiment = {
  id: 'E13',
  title: 'a hundred readers of the stream stop reading',
  mustHold: 'laggards are closed in time and hold little memory, everyone else keeps a proven book and trades on',
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

async function run(dataDirectory: string, { dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const tape = await startTape(dataDirectory);
  try {
    const person = await signIn(tape.url, { from: '10.9.0.1' });
    await prepareToTrade(tape.url, person);
    const trader = new SteadyTrader({ client: keyClient(tape.url, await tradeKey(person)), chance: new Chance(seed), name: 'steady' });
    const readers = Array.from({ length: GOOD_READERS }, () => new GoodReader(tape.url));
    trader.start();
    // First the tape runs without readers, to measure what the trades alone retain in memory.
    const alone = new Needs();
    for (let piece = 0; piece < ALONE_PIECES; piece += 1) alone.note(await tape.run(PIECE_MS));
    const usual = trader.take();
    const facts = { trades: alone.trades, 'held by laggards in MiB': 0, 'rounds behind': 0, 'latest closing ms': 0, 'resident MiB': 0 };
    for (let round = 0; round < ROUNDS[dose]; round += 1) {
      const found = await oneRound(tape, verdict);
      const held = Math.round(found.needs.mostBeside(alone.bytesATrade) / MIB);
      say(`round ${round}: ${found.needs.trades} trades, ${held} MiB, the last one closed after ${found.closedAfterMs ?? '-'} ms`);
      verdict.check(held <= HELD_MAX_MIB, `the laggards held ${held} MiB, and may hold ${HELD_MAX_MIB}`);
      facts.trades += found.needs.trades;
      facts['held by laggards in MiB'] = Math.max(facts['held by laggards in MiB'], held);
      facts['latest closing ms'] = Math.max(facts['latest closing ms'], found.closedAfterMs ?? 0);
      facts['rounds behind'] += found.closedAfterMs === undefined ? 0 : 1;
    }
    const disturbed = trader.take();
    await trader.stop();
    verdict.same('orders that failed', trader.failures, []);
    for (const reader of readers) reader.check(verdict);
    facts['resident MiB'] = residentOf(tape.pid);
    const p99 = `${quantile(usual, 0.99)} ms without laggards, ${quantile(disturbed, 0.99)} ms with`;
    const found = { trials: ROUNDS[dose] * SLOW_READERS, facts: { ...facts, 'orders p99': p99 }, violations: verdict.violations };
    const isTooSlow = facts['rounds behind'] === 0 && verdict.violations.length === 0;
    return isTooSlow ? { ...found, notRun: 'the tape is too slow here: silence ended the laggards before they fell behind' } : found;
  } finally {
    await tape.stop();
  }
}

interface Round {
  readonly needs: Needs;
  /** From when the last laggard was behind until none was there, in milliseconds; undefined when its silence ended it before. */
  readonly closedAfterMs: number | undefined;
}

async function oneRound(tape: Tape, verdict: Verdict): Promise<Round> {
  const needs = new Needs();
  // What is there when they come is the beginning; a piece of no length only measures.
  needs.note(await tape.run(0));
  const watch = await Watch.open(tape.url, { others: GOOD_READERS, symbol: SYMBOL });
  const laggards = await Promise.all(Array.from({ length: SLOW_READERS }, (_, index) => Laggard.open(tape.url, { index, symbol: SYMBOL })));
  const silentAt = performance.now();
  watch.begin();
  let pieces = 0;
  for (; pieces < PIECES_MAX && watch.goneAt === undefined; pieces += 1) needs.note(await tape.run(PIECE_MS));
  await watch.close();
  verdict.check(watch.goneAt !== undefined, `after ${needs.trades} trades laggards are still there`);
  // What the kernel had taken for a laggard it can still read, and nothing after it.
  const taken = (await Promise.all(laggards.map((laggard) => laggard.readToTheEnd()))).filter((bytes) => bytes !== undefined);
  verdict.same('laggards whose stream ends', taken.length, SLOW_READERS);
  const goneAt = watch.goneAt ?? performance.now();
  const behindAt = watch.reportedAt(Math.max(...taken) + BEHIND_BYTES);
  const latenessMs = 2 * LOOK_MS + watch.slowestLookMs;
  const dueAt = Math.min(silentAt + SILENT_MAX_MS, behindAt === undefined ? Infinity : behindAt + BEHIND_MAX_MS + GOODBYE_MS) + latenessMs;
  verdict.check(goneAt <= dueAt, `the last laggard was gone ${Math.round(goneAt - dueAt)} ms too late`);
  const closedAfterMs = behindAt === undefined ? undefined : Math.round(goneAt - behindAt);
  return { needs, closedAfterMs };
}

/** The program's live memory while the tape runs. */
class Needs {
  readonly #pieces: { readonly trades: number; readonly liveBytes: number }[] = [];
  trades = 0;

  note({ trades, liveBytes }: TapePiece): void {
    this.trades += trades;
    this.#pieces.push({ trades: this.trades, liveBytes });
  }

  /** What a trade leaves: history that is kept at hand. */
  get bytesATrade(): number {
    const [first, last] = [this.#pieces.at(0), this.#pieces.at(-1)];
    assert(first !== undefined && last !== undefined && last.trades > first.trades, 'the tape trades');
    return (last.liveBytes - first.liveBytes) / (last.trades - first.trades);
  }

  /** The most that lived beyond the beginning and what the trades left. */
  mostBeside(bytesATrade: number): number {
    const first = this.#pieces.at(0);
    assert(first !== undefined, 'the tape was measured');
    return Math.max(...this.#pieces.map(({ trades, liveBytes }) => liveBytes - first.liveBytes - (trades - first.trades) * bytesATrade));
  }
}

interface Tape extends ServedTape {
  run(ms: number): Promise<TapePiece>;
  stop(): Promise<void>;
}

async function startTape(dataDirectory: string): Promise<Tape> {
  const env = { ...process.env, ORRERY_PORT: '0', ORRERY_DATA: dataDirectory, ORRERY_MARKET_MAKER: 'off', ...BEHIND_A_PROXY };
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const served = (await nextLine(lines)) as ServedTape;
  return {
    ...served,
    async run(ms) {
      child.stdin.write(`${ms}\n`);
      return (await nextLine(lines)) as TapePiece;
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

/** Reads everything, and verifies it. */
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
    verdict.check(this.#proven > 0 && this.#deals > 0, 'a good reader received nothing');
    this.#stream.close();
  }
}

/** In MiB. Reported, not judged: it includes uncollected garbage. */
function residentOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kibibytes ?? 0) / 1024);
}

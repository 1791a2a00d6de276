/** Neighbours who take what they can get, all at once, while somebody trades. */
import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, prepareToTrade, readKey, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY, startProgram, type Program } from '../../../exchange/e2e/program.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { footprintOf, type Footprint } from '../instruments/footprint.ts';
import type { Tally } from '../instruments/hostile.ts';
import { attackFromElsewhere, type Tallies } from '../instruments/neighbours.ts';
import { quantile, SteadyTrader } from '../instruments/steady-trader.ts';
import { Verdict } from '../instruments/verdict.ts';

/** Calls of each kind that one network may make in a minute to sign in. */
const NONCES_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** The attacks end when they have made their calls, and after `hostileMs` in any case. */
const DOSES = {
  small: { quietMs: 5_000, hostileMs: 60_000, rounds: 4, streams: 4, messages: 2_000, nonces: 300, transactions: 200 },
  large: { quietMs: 60_000, hostileMs: 120_000, rounds: 40, streams: 60, messages: 20_000, nonces: 100_000, transactions: 100_000 },
} as const;
/**
 * A leak of memory ends the program. In 256 MiB, beside a young generation of 128, 20 of the trading thread's 45 busy seconds under attack were
 * garbage collection: the experiment would measure that.
 */
const HEAP_MIB = 512;
/** Of memory, the young generation alone may take 384 MiB: see `node-flags.mjs`. */
const GROWTH_MAX = { residentMiB: 512, folderMiB: 64, chainMiB: 2 } as const satisfies Footprint;
/** Of the trader's p99, hostile over quiet. On a machine that does other things a time proves nothing: judged at the large dose. */
const SLOWER_MAX = 3;
/** A quiet p99 below this does not differ from the noise of the machine; milliseconds. */
const QUIET_MIN_MS = 5;

export const hostileNeighbours: Experiment = {
  id: 'E25',
  title: 'slow sockets, refused orders, nonces, addresses of one network and worthless transactions, all at once',
  mustHold: 'an honest trader is served, flooders are closed, no memory, folder or chain log grows without bound',
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

async function run(dataDirectory: string, context: Context): Promise<Findings> {
  const env = { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
  const program = await startProgram({ dataDirectory, env });
  try {
    return await amongNeighbours({ program, dataDirectory }, context);
  } finally {
    await program.stop();
  }
}

interface Ground {
  readonly program: Program;
  readonly dataDirectory: string;
}

async function amongNeighbours({ program, dataDirectory }: Ground, { dose, seed, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const { url } = program;
  const footprint = (): Footprint => footprintOf({ pid: program.process.pid ?? 0, dataDirectory });
  const honest = await signIn(url, { from: '198.51.100.1' });
  await prepareToTrade(url, honest);
  const trader = new SteadyTrader({ client: keyClient(url, await tradeKey(honest)), chance: new Chance(seed), name: 'honest' });
  const key = await readKey(await signIn(url, { from: '203.0.113.1' }));
  trader.start();
  await pause(DOSES[dose].quietMs);
  const quiet = trader.take();
  const before = footprint();
  const started = performance.now();
  const tallies = await attackFromElsewhere({ url, key, yields: dose === 'large', ...DOSES[dose] });
  const seconds = Math.round((performance.now() - started) / 1_000);
  const hostile = trader.take();
  const after = footprint();
  await trader.stop();
  const grown = growthOf(before, after);
  judgeAttacks(verdict, tallies, performance.now() - started);
  for (const name of ['residentMiB', 'folderMiB', 'chainMiB'] as const)
    verdict.check(grown[name] <= GROWTH_MAX[name], `${name} grew by ${grown[name]}, and may grow by ${GROWTH_MAX[name]}`);
  verdict.same('orders of the honest trader that failed', trader.failures, []);
  verdict.check(hostile.length > 0, 'the honest trader placed no order');
  verdict.same('exit code', await program.stop(), 0);
  const [quietP99, hostileP99] = [quantile(quiet, 0.99), quantile(hostile, 0.99)];
  const slower = Math.round((hostileP99 / Math.max(quietP99, QUIET_MIN_MS)) * 10) / 10;
  if (dose === 'large') verdict.check(slower <= SLOWER_MAX, `the honest trader's p99 is ${slower} times that of quiet`);
  const facts = {
    'orders p50': `${quantile(quiet, 0.5)} ms in quiet, ${quantile(hostile, 0.5)} ms among neighbours`,
    'orders p99': `${quietP99} ms in quiet (${quiet.length}), ${hostileP99} ms among neighbours (${hostile.length}): ${slower} times`,
    ...Object.fromEntries(Object.entries(tallies).map(([name, tally]) => [name, printed(tally)])),
    grown: `${grown.residentMiB} MiB of memory, ${grown.folderMiB} of folder, ${grown.chainMiB} of chain`,
    seconds,
  };
  return { trials: Object.values(tallies).reduce((sum, tally) => sum + total(tally), 0), facts, violations: verdict.violations };
}

function judgeAttacks(verdict: Verdict, { sockets, stream, nonces, addresses, transactions }: Tallies, ms: number): void {
  verdict.check((sockets['closed'] ?? 0) > 0, 'no slow socket was closed');
  verdict.same('flooded streams that were closed', stream['closed with 1008'], stream['streams']);
  // Windows of a minute: one more has begun than minutes have passed.
  const windows = Math.ceil(ms / MINUTE_MS) + 1;
  for (const [name, tally] of Object.entries({ nonces, addresses })) {
    const taken = tally['200'] ?? 0;
    verdict.check(taken <= NONCES_PER_MINUTE * windows, `${name}: one network was given ${taken} nonces in ${windows} windows`);
  }
  verdict.same('worthless transactions that were taken', transactions['taken'], 0);
}

const growthOf = (before: Footprint, after: Footprint): Footprint => ({
  residentMiB: Math.round(after.residentMiB - before.residentMiB),
  folderMiB: Math.round((after.folderMiB - before.folderMiB) * 10) / 10,
  chainMiB: Math.round((after.chainMiB - before.chainMiB) * 100) / 100,
});

const total = (tally: Tally): number => Object.values(tally).reduce((sum, value) => sum + value, 0);
const printed = (tally: Tally): string =>
  Object.entries(tally)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');

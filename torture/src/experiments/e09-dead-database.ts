/** The database is killed or stands still, under a program that trades. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeyCredentials, CallError, type Client, createClient } from '@orrery/sdk';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, type KeyOfPerson, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { processesIn } from '../../../exchange/e2e/processes-in.ts';
import { startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { startPostgres } from '../../../exchange/src/embedded/postgres/postgres.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { compareReadModel } from '../instruments/read-model.ts';
import { quantile, SteadyTrader } from '../instruments/steady-trader.ts';
import { Verdict } from '../instruments/verdict.ts';
import { compareMemory } from '../program/traders.ts';

const DOSES = { small: { trials: 3, standsStillMs: 10_000 }, large: { trials: 40, standsStillMs: 30_000 } } as const;
const UNDISTURBED_MS = 3_000;
const READ_EVERY_MS = 250;
/** The maximum time to any answer; a retry after a refusal starts a new wait. */
const ANSWER_MS = 20_000;
const CAUGHT_UP_WITHIN_MS = 120_000;

export const deadDatabase: Experiment = {
  id: 'E9',
  title: 'PostgreSQL killed, or standing still',
  mustHold: 'trading goes on; history is refused by name or is right, catches up, and is what the journal says',
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

async function run(dataDirectory: string, context: Context): Promise<Findings> {
  const verdict = new Verdict(context.say);
  const program = await startProgram({ dataDirectory });
  try {
    return await underFaults({ program, dataDirectory, verdict }, context);
  } finally {
    await program.stop();
  }
}

interface Under {
  readonly program: Program;
  readonly dataDirectory: string;
  readonly verdict: Verdict;
}

async function underFaults({ program, dataDirectory, verdict }: Under, { dose, seed, say }: Context): Promise<Findings> {
  const chance = new Chance(seed);
  const { trials, standsStillMs } = DOSES[dose];
  const keys = await Promise.all(
    ['alice', 'bob'].map(async () => {
      const person = await signIn(program.url);
      await prepareToTrade(program.url, person);
      return tradeKey(person);
    }),
  );
  const traders = keys.map((key, index) => new SteadyTrader({ client: keyClient(program.url, key), chance, name: `trader-${index}` }));
  const [[alice], [keyOfAlice]] = [traders, keys];
  if (alice === undefined || keyOfAlice === undefined) throw new Error('there are traders');
  const latencies = (): readonly number[] => traders.flatMap((trader) => trader.take());
  for (const trader of traders) trader.start();
  await pause(UNDISTURBED_MS);
  const usual = latencies();
  const disturbed: number[] = [];
  const lagsMs: number[] = [];
  for (let trial = 0; trial < trials; trial += 1) {
    const fault = FAULTS[trial % FAULTS.length] ?? FAULTS[0];
    say(fault.name);
    latencies();
    const reader = new HistoryReader(program.url, keyOfAlice);
    const status = new StatusReader(alice.client);
    await fault.act({ directory: join(dataDirectory, 'postgres'), standsStillMs });
    const hasReportedStale = await status.stop();
    if (fault.name === STANDS_STILL) verdict.check(hasReportedStale, 'history was stale, and /status did not say so');
    const started = performance.now();
    await until('history has caught up', () => isWritten(alice.client), { withinMs: CAUGHT_UP_WITHIN_MS });
    lagsMs.push(performance.now() - started);
    verdict.add((await reader.stop()).map((sentence) => `${fault.name}: ${sentence}`));
    disturbed.push(...latencies());
  }
  for (const trader of traders) {
    await trader.stop();
    verdict.same('orders that failed', trader.failures, []);
    verdict.add(await compareMemory(trader.client, trader.memory));
  }
  verdict.same('exit code', await program.stop(), 0);
  const server = await startPostgres({ directory: join(dataDirectory, 'postgres') });
  const comparison = await compareReadModel({ dataDirectory, rpcUrl: undefined, database: server.connection });
  await server.stop();
  verdict.add(comparison.differences);
  const { commands, rows } = comparison;
  const p99 = `${quantile(usual, 0.99)} ms usual, ${quantile(disturbed, 0.99)} ms under faults`;
  const facts = { commands, 'rows compared': rows, 'orders p99': p99, 'history caught up after ms': Math.round(Math.max(...lagsMs)) };
  return { trials, facts, violations: verdict.violations };
}

interface Fault {
  readonly name: string;
  readonly act: (options: { directory: string; standsStillMs: number }) => Promise<void>;
}

const STANDS_STILL = 'it stands still';

const FAULTS = [
  {
    name: 'the server is killed',
    act: ({ directory }) => Promise.resolve(process.kill(serverOf(directory), 'SIGKILL')).then(() => undefined),
  },
  {
    name: STANDS_STILL,
    async act({ directory, standsStillMs }) {
      const stopped = processesIn(directory);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await pause(standsStillMs);
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    },
  },
  {
    name: 'all of its processes are killed',
    async act({ directory }) {
      for (const pid of processesIn(directory)) killIfThere(pid);
      await pause(0);
    },
  },
] as const satisfies readonly Fault[];

const serverOf = (directory: string): number => Number.parseInt(readFileSync(join(directory, 'cluster/postmaster.pid'), 'utf8'), 10);

/** With its server a session process ends by itself. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether everything up to now can be read. */
async function isWritten(client: Client): Promise<boolean> {
  const { seq } = await client.status();
  try {
    await client.orderHistory({ minSeq: seq });
    return true;
  } catch (error) {
    if (error instanceof CallError && isHonest(error)) return false;
    throw error;
  }
}

const isHonest = ({ status }: CallError): boolean => status === 502 || status === 503;

/** Checks whether history is reported as stale. */
class StatusReader {
  readonly #client: Client;
  #isOver = false;
  readonly #reading: Promise<boolean>;

  constructor(client: Client) {
    this.#client = client;
    this.#reading = this.#read();
  }

  async stop(): Promise<boolean> {
    this.#isOver = true;
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    let isReported = false;
    while (!this.#isOver) {
      const { parts } = await this.#client.status();
      isReported ||= parts.some(({ ready, detail }) => !ready && detail.startsWith('history is stale since '));
      await pause(READ_EVERY_MS);
    }
    return isReported;
  }
}

/** Reads its history again and again, and never may see it shrink, fail without a reason or wait without end. */
class HistoryReader {
  readonly #client: Client;
  readonly #sentences: string[] = [];
  #isOver = false;
  readonly #reading: Promise<void>;

  constructor(baseUrl: string, key: KeyOfPerson) {
    this.#client = createClient({ baseUrl, credentials: new ApiKeyCredentials(key), fetch: (...call) => this.#timed(call) });
    this.#reading = this.#read();
  }

  async stop(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#reading;
    return [...new Set(this.#sentences)];
  }

  async #read(): Promise<void> {
    let known = 0;
    while (!this.#isOver) {
      try {
        const { total } = await this.#client.orderHistory({ page: 1, size: 10 });
        if (total < known) this.#sentences.push(`history had ${known} orders and now has ${total}`);
        known = total;
      } catch (error) {
        const isFair = error instanceof CallError && isHonest(error);
        if (!isFair) this.#sentences.push(`reading history: ${error instanceof Error ? error.message : String(error)}`);
      }
      await pause(READ_EVERY_MS);
    }
  }

  /** Times each answer separately: the client retries automatically after a refusal. */
  async #timed(call: Parameters<typeof fetch>): Promise<Response> {
    const started = performance.now();
    try {
      return await fetch(...call);
    } finally {
      if (performance.now() - started > ANSWER_MS) this.#sentences.push('an answer about history took too long');
    }
  }
}

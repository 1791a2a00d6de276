/** The program has hardly any memory, shares its processors with others, and is asked for more than it can do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { CreateOrder } from '@orrery/api';
import { CallError, type Client } from '@orrery/sdk';
import { keyClient, prepareToTrade, signIn, tradeKey } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY, startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { Context, Dose, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { quantile } from '../instruments/steady-trader.ts';
import { Verdict } from '../instruments/verdict.ts';

/** MiB of JavaScript heap for each thread: the main one holds 93 after a start, when nobody has come yet. */
const HEAP_MIB = 160;
const PEOPLE = 3;
const SYMBOL = 'SOL_USDC';
const DOSES = { small: 15_000, large: 600_000 } as const;
/** Calls that each person has open at the same time. */
const HANDS = 8;
const CANCEL_EVERY_MS = 500;
/** Orders that each person gives at once, in batches, again and again: more than an account may, so that nothing is left of what it may. */
const FLOOD = { batches: 4, orders: 20, everyMs: 500 } as const;
/** Of each person's orders, the newest. */
const LOOKED_UP = 40;

export const smallMemory: Experiment = {
  id: 'E18',
  title: 'little memory, busy processors, and more calls than can be answered',
  mustHold: 'every call is answered by name, cancels go on, what was acknowledged is there, the program lives',
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

async function run(dataDirectory: string, { dose, say }: Context): Promise<Findings> {
  const verdict = new Verdict(say);
  const program = await startProgram({
    dataDirectory,
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`, ...BEHIND_A_PROXY },
  });
  try {
    return await underLoad({ program, verdict }, dose);
  } finally {
    await program.stop();
  }
}

async function underLoad({ program, verdict }: { program: Program; verdict: Verdict }, dose: Dose): Promise<Findings> {
  const clients = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, index) => {
      const person = await signIn(program.url, { from: `10.0.1.${index + 1}` });
      await prepareToTrade(program.url, person);
      return keyClient(program.url, await tradeKey(person));
    }),
  );
  const neighbours = Array.from({ length: availableParallelism() }, spin);
  const tally = new Tally();
  const asker = { isOver: false };
  const works: readonly Work[] = clients.map((client) => ({ client, tally, asker, open: new Set() }));
  try {
    const working = works.flatMap((work) => [
      flood(work),
      ...Array.from({ length: HANDS }, () => demand(work)),
      cancelNowAndThen(work, verdict),
    ]);
    await pause(DOSES[dose]);
    asker.isOver = true;
    await Promise.all(working);
  } finally {
    for (const neighbour of neighbours) await end(neighbour);
  }
  verdict.same('answers that name no reason', tally.unnamed, []);
  verdict.check(tally.taken > 0, 'no order was taken');
  verdict.check(tally.refused > 0, 'nothing was refused: no more was asked than can be done');
  verdict.check(tally.cancels.length > 0, 'no cancel was taken');
  for (const work of works) await verdict.attempt('what was acknowledged', () => checkReported(work.client, work, verdict));
  verdict.same('exit code', await program.stop(), 0);
  const { taken, refused, cancels } = tally;
  const facts = { 'orders taken': taken, 'calls refused': refused, cancels: cancels.length, 'cancels p99 ms': quantile(cancels, 0.99) };
  return { trials: taken + refused, facts, violations: verdict.violations };
}

/** What all people together were answered. */
class Tally {
  taken = 0;
  refused = 0;
  /** How long each cancel took, in milliseconds. */
  readonly cancels: number[] = [];
  readonly unnamed: string[] = [];

  /** Every refusal names its reason; that no answer came at all is none. */
  note(error: unknown): void {
    this.refused += 1;
    if (!(error instanceof CallError) || error.reason === undefined || error.reason === 'Internal') this.unnamed.push(String(error));
  }
}

interface Work {
  readonly client: Client;
  readonly tally: Tally;
  /** Orders that were acknowledged, and not cancelled since. */
  readonly open: Set<string>;
  readonly asker: { readonly isOver: boolean };
}

/** Far enough from the market to rest. */
async function restingOrder(client: Client): Promise<CreateOrder> {
  const { c: last } = await client.ticker({ symbol: SYMBOL });
  const price = (Number(last) * 0.95).toFixed(2).replace(/\.?0+$/, '');
  return { symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price, totalAmount: '0.1' };
}

async function flood(work: Work): Promise<void> {
  while (!work.asker.isOver) {
    try {
      await giveAtOnce(work);
    } catch (error) {
      work.tally.note(error);
    }
    await pause(FLOOD.everyMs);
  }
}

async function giveAtOnce({ client, tally, open }: Work): Promise<void> {
  const order = await restingOrder(client);
  const orders = Array.from({ length: FLOOD.orders }, () => order);
  const answers = await Promise.allSettled(Array.from({ length: FLOOD.batches }, () => client.createOrders({ orders })));
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      tally.note(answer.reason);
      continue;
    }
    for (const item of answer.value) {
      if (item.data === null) tally.refused += 1;
      else {
        open.add(item.data);
        tally.taken += 1;
      }
    }
  }
}

/** Without a pause, and reads between the orders. */
async function demand({ client, tally, open, asker }: Work): Promise<void> {
  while (!asker.isOver) {
    try {
      open.add(await client.createOrder(await restingOrder(client)));
      tally.taken += 1;
      await client.openOrders({ page: 1, size: 100 });
      await client.orderHistory({ page: 1, size: 100 });
    } catch (error) {
      tally.note(error);
      await pause(5);
    }
  }
}

async function cancelNowAndThen({ client, tally, open, asker }: Work, verdict: Verdict): Promise<void> {
  while (!asker.isOver) {
    await pause(CANCEL_EVERY_MS);
    const [orderId] = open;
    if (orderId === undefined) continue;
    open.delete(orderId);
    const started = performance.now();
    await verdict.attempt('a cancel', async () => {
      await client.cancelOrder({ orderId });
      tally.cancels.push(performance.now() - started);
    });
  }
}

async function checkReported(client: Client, { open }: Pick<Work, 'open'>, verdict: Verdict): Promise<void> {
  for (const orderId of [...open].slice(-LOOKED_UP)) {
    const order = await until(`order ${orderId} can be looked up`, () => client.order({ orderId }).catch(laterIfBusy));
    verdict.same(`order ${orderId}`, order.orderId, orderId);
  }
}

function laterIfBusy(error: unknown): undefined {
  if (error instanceof CallError && (error.status === 429 || error.status === 503)) return undefined;
  throw error;
}

/** Keeps one processor busy. */
function spin(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

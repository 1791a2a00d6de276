/** The wall clock jumps, stands still and runs too fast, under the whole program, its database and its chain. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeyCredentials, CallError, createClient, type Client, Stream } from '@orrery/sdk';
import { followFolder, nodeDisk } from '@orrery/sequencer';
import { verifyFolder } from '@orrery/sequencer/verify';
import { seq } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { prepareToTrade, signIn, tradeKey, type Person } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY, startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { ENGINES } from '../../../exchange/src/engines.ts';
import { DurableSeq } from '../../../exchange/src/history/durable-seq.ts';
import { historyDirectory } from '../../../exchange/src/start-heart.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { FakeClock } from '../instruments/fake-clock.ts';
import { Verdict } from '../instruments/verdict.ts';

const SYMBOL = 'SOL_USDC';
/** Longer than streams are given to show a sign of life. */
const STAY_MS = 20_000;
const BRIEF_MS = 2_500;
const RANDOM_JUMPS = 40;

export const jumpingClock: Experiment = {
  id: 'E12',
  title: 'the clock jumps, stands still, runs ten times too fast',
  mustHold: 'trading goes on, history never runs backwards, streams stay open, sessions end when their time is over and do not come back',
  waits: true,
  run: (context) => {
    const clock = FakeClock.open();
    if (clock === undefined)
      return Promise.resolve({ trials: 0, facts: {}, violations: [], notRun: 'libfaketime is not here, and can not be installed' });
    return inFolder((dataDirectory) => run({ dataDirectory, clock }, context)).finally(() => clock.close());
  },
};

interface Setting {
  readonly words: string;
  readonly stayMs: number;
}

function settingsOf({ dose, seed }: Context): readonly Setting[] {
  const fixed: readonly Setting[] = [
    { words: '+1h x1', stayMs: STAY_MS },
    { words: '+0 x1', stayMs: BRIEF_MS },
    { words: '-1h x1', stayMs: BRIEF_MS },
    { words: new Date().toISOString().slice(0, 19).replace('T', ' '), stayMs: BRIEF_MS },
    { words: '+0 x10', stayMs: BRIEF_MS },
    { words: '-1d x1', stayMs: BRIEF_MS },
    { words: '+0 x1', stayMs: BRIEF_MS },
  ];
  if (dose === 'small') return fixed;
  const chance = new Chance(seed);
  const random = Array.from({ length: RANDOM_JUMPS }, () => ({
    words: `${chance.between(-36, 36)}h x${chance.oneIn(4) ? 10 : 1}`.replace(/^(?!-)/, '+'),
    stayMs: chance.oneIn(5) ? STAY_MS : BRIEF_MS,
  }));
  return [...fixed, ...random, { words: '+0 x1', stayMs: BRIEF_MS }];
}

async function run({ dataDirectory, clock }: { dataDirectory: string; clock: FakeClock }, context: Context): Promise<Findings> {
  const verdict = new Verdict(context.say);
  const program = await startProgram({ dataDirectory, env: { ...clock.env, ...BEHIND_A_PROXY } });
  try {
    return await underClock({ program, clock, verdict, directory: historyDirectory(dataDirectory) }, context);
  } finally {
    await program.stop();
  }
}

interface Under {
  readonly program: Program;
  readonly clock: FakeClock;
  readonly verdict: Verdict;
  /** Of the history. */
  readonly directory: string;
}

async function underClock({ program, clock, verdict, directory }: Under, context: Context): Promise<Findings> {
  const { say } = context;
  const person = await signIn(program.url, { from: '10.0.0.1' });
  await prepareToTrade(program.url, person);
  const key = await tradeKey(person);
  const anyone = createClient({ baseUrl: program.url });
  const states: string[] = [];
  const stream = new Stream({ baseUrl: program.url, onState: (state) => states.push(state) });
  let deals = 0;
  stream.market(SYMBOL, { onDeal: () => (deals += 1), onDepth: () => undefined });
  await until('the stream is open', () => Promise.resolve(stream.state === 'open'));
  const settings = settingsOf(context);
  for (const { words, stayMs } of settings) {
    say(words);
    clock.set(words);
    await pause(stayMs);
    await verdict.attempt(`at ${words}, an order`, () =>
      until('an order is taken', () => isTaken({ anyone, key, url: program.url })).then(() => undefined),
    );
    verdict.same(`at ${words}, the stream`, stream.state, 'open');
    const { parts, clockAheadMs } = await anyone.status();
    verdict.same(
      `at ${words}, parts that are not ready`,
      parts.filter(({ ready }) => !ready),
      [],
    );
    checkRefusal({ words, clockAheadMs, verdict });
  }
  verdict.same('how often the stream was lost', states.filter((state) => state === 'waiting').length, 0);
  await checkSession({ clock, person, anyone, verdict, url: program.url });
  stream.close();
  verdict.same('exit code', await program.stop(), 0);
  const commands = await checkTimes(directory, verdict);
  return { trials: settings.length + 1, facts: { commands, deals }, violations: verdict.violations };
}

/** A clock that is hours ahead is not believed, and believed again when it is right. One that runs too fast is anywhere between. */
function checkRefusal({ words, clockAheadMs, verdict }: { words: string; clockAheadMs: number; verdict: Verdict }): void {
  if (words.endsWith('x10')) return;
  const hours = Number(/^\+(\d+)h/.exec(words)?.[1] ?? 0);
  if (hours === 0) verdict.same(`at ${words}, milliseconds of the wall clock that are refused`, clockAheadMs, 0);
  else verdict.check(clockAheadMs > hours * 3_600_000 - 300_000, `at ${words}, only ${clockAheadMs} ms of the wall clock are refused`);
}

/**
 * False when the signature was too old on arrival (under a clock that runs ten times too fast that is half a second), or the calls before
 * were too many.
 */
async function isTaken(parts: Parameters<typeof placeAndCancel>[0]): Promise<boolean> {
  try {
    await placeAndCancel(parts);
    return true;
  } catch (error) {
    if (error instanceof CallError && (error.reason === 'StaleTimestamp' || error.reason === 'TooManyRequests')) return false;
    throw error;
  }
}

/** Signed by the server's clock, as every client does that has asked for it. */
async function placeAndCancel({
  anyone,
  key,
  url,
}: {
  anyone: Client;
  key: { accessKey: string; secret: string };
  url: string;
}): Promise<void> {
  const { time } = await anyone.status();
  const client = createClient({ baseUrl: url, credentials: new ApiKeyCredentials({ ...key, now: () => time }) });
  const { c: last } = await client.ticker({ symbol: SYMBOL });
  const price = (Number(last) * 0.95).toFixed(2).replace(/\.?0+$/, '');
  const orderId = await client.createOrder({ symbol: SYMBOL, direction: 'BUY', tradeType: 'LIMIT', price, totalAmount: '0.1' });
  await client.cancelOrder({ orderId });
}

/** A session of five hours: an hour ahead it is refreshed, a day ahead it is over, and it stays over when the day was a mistake. */
async function checkSession(parts: { clock: FakeClock; person: Person; anyone: Client; verdict: Verdict; url: string }): Promise<void> {
  const { clock, verdict, url } = parts;
  const person = await signIn(url, { from: '10.0.0.2' });
  clock.set('+1h x1');
  await pause(BRIEF_MS);
  verdict.same('a token of fifteen minutes, after an hour', await answerOf(person), 'SessionExpired');
  await verdict.attempt('an hour ahead, the session', async () => person.refresh());
  verdict.same('a fresh token, after an hour', await answerOf(person), 'taken');
  clock.set('+1d x1');
  await pause(STAY_MS);
  verdict.same('a session of five hours, after a day', await answerOf(person), 'SessionExpired');
  clock.set('+0 x1');
  await pause(BRIEF_MS);
  verdict.same('an ended session, when the clock is set back', await answerOf(person), 'SessionExpired');
  verdict.same('its refreshing', await person.refresh().then(() => 'taken', reasonOf), 'SessionExpired');
}

const answerOf = (person: Person): Promise<unknown> => person.client.accountInfo().then(() => 'taken', reasonOf);
const reasonOf = (error: unknown): unknown => (error instanceof CallError ? error.reason : String(error));

/** Of all commands: their times never go back. */
async function checkTimes(directory: string, verdict: Verdict): Promise<number> {
  const durable = new DurableSeq();
  const end = verifyFolder(directory, ENGINES).seq;
  durable.report(seq(end));
  let last = 0;
  for await (const batch of followFolder({ directory, disk: nodeDisk, engines: ENGINES, end: durable, log: () => undefined }).subscribe(
    seq(0),
  )) {
    for (const { at, seq: number } of batch) {
      verdict.check(at >= last, `command ${number} is older than the one before`);
      last = at;
    }
    if (batch.at(-1)?.seq === end) break;
  }
  return end;
}

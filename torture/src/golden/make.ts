/**
 * Makes a golden history with the code as it is now: `node torture/src/golden/make.ts <name> [subject] [seed]`. To be done once for each change of a format
 * or of the kinds of commands, and before the change too if the old form has none. A golden history is never made again: it is what it is.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine, decodeState, type Engine } from '@orrery/engine';
import { NOT_ATTACHED, type Command, type Event, type FundOpened, type PlaceOrder } from '@orrery/protocol';
import { dayOf } from '@orrery/rules';
import { openSequencer, nodeDisk, type Sequencer } from '@orrery/sequencer';
import { verifyFolder } from '@orrery/sequencer/verify';
import {
  accountId,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  ppm,
  seq as seqOf,
  ticks,
  type Millis,
  type Seq,
} from '@orrery/units';
import { RandomCommands } from '../../../core/engine/src/testing/random-commands.ts';
import { NaiveDesk } from '../../../core/engine/src/testing/naive-desk.ts';
import { DECIMALS, opening as openingOfDesk, RandomDesk } from '../../../core/engine/src/testing/random-desk.ts';
import { CONTRACTS, RandomFutures } from '../../../core/engine/src/testing/random-futures.ts';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { RandomFunds } from '../../../core/engine/src/testing/random-funds.ts';
import { EXPECTED, formOf, goldenFolder, missingForms, missingKinds, SUBJECTS, type Expected, type Subject } from './golden.ts';

const SEED = Number(process.argv[4] ?? 20_261_121);
const COMMANDS = 1_500;
const SNAPSHOT_EVERY = 1_000;
const LIMITS = { segmentBytes: 1 << 14, reserveBytes: 1 << 14, hashEvery: 100, snapshotEvery: SNAPSHOT_EVERY, minFreeRatio: 0 };
/** Sizes of the groups of commands. */
const GROUPS = [1, 2, 5];
/** The interval, in commands, between those on which the engine throws. */
const POISON_EVERY = 400;
/** One of this number of commands of contracts is a funding that somebody wants now. */
const FORCED_EVERY = 100;
/** One of this number asks for practice money. */
const GRANT_EVERY = 10;
const TRADERS = 8;
/** Subscriptions to a fund at once. */
const CROWD = 70;
/** Valuations after which an operator halts a fund. */
const CLOSED_AFTER = 3;

const POISON: PlaceOrder = {
  type: 'PlaceOrder',
  account: accountId(1),
  market: marketId(1),
  clientOrderId: 'poison',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(100),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
};

function withBug(engine: Engine): Engine {
  return {
    apply(sequenced) {
      const { command } = sequenced;
      if (command.type === 'PlaceOrder' && command.clientOrderId === POISON.clientOrderId) throw new Error('a planted bug');
      return engine.apply(sequenced);
    },
    facts: () => engine.facts(),
    continuation: () => engine.continuation(),
    due: (at) => engine.due(at),
    mustWait: (command) => engine.mustWait(command),
    takeRunningHash: () => engine.takeRunningHash(),
    imbalance: () => engine.imbalance(),
    stateLayouts: () => engine.stateLayouts(),
    encodeState: (layout) => engine.encodeState(layout),
  };
}

interface Timed {
  readonly at: Millis;
  readonly command: Command;
}

/** Where the commands come from. */
interface Source {
  next(): Timed;
  follow(placed: { readonly seq: Seq; readonly command: Command }, events: readonly Event[]): void;
}

const SOURCES: Readonly<Partial<Record<Subject, () => Source>>> = {
  spot() {
    const random = new RandomCommands(SEED);
    const waiting: Timed[] = [];
    let count = 0;
    const next = (): Timed => {
      const before = waiting.shift();
      if (before !== undefined) return before;
      const timed = random.next();
      count += 1;
      waiting.push(...withTerms(timed, count));
      return timed;
    };
    return { next, follow: ({ seq, command }, events) => random.follow({ seq, at: millis(0), command }, events) };
  },
  contracts() {
    const random = new RandomFutures(SEED);
    const opening = random.opening();
    const practising = practice();
    const waiting: Timed[] = [];
    let count = 0;
    const next = (): Timed => {
      const { value, done } = opening.next();
      if (done !== true) return value;
      const before = waiting.shift();
      if (before !== undefined) return before;
      count += 1;
      const timed = random.next();
      waiting.push(...practising(timed, count));
      const market = CONTRACTS[count % CONTRACTS.length]?.market;
      // On an exchange for trying things out an interval of funding ends when somebody wants it.
      return count % FORCED_EVERY === 0 && market !== undefined
        ? { at: timed.at, command: { type: 'ForceFunding', market, interval: timed.at } }
        : timed;
    };
    return { next, follow: (_, events) => random.follow(events) };
  },
  // What is due is placed by the heart: the naive desk, by which the commands are drawn, does it too.
  otc() {
    const twin = new NaiveDesk(DECIMALS);
    const random = new RandomDesk(SEED, twin);
    const start = random.nextAt();
    const first = [...openingOfDesk()].map((command): Timed => ({ at: start, command }));
    let last = start;
    const drawn = (): Timed => {
      const at = random.nextAt();
      first.push(...random.heard(last, at));
      last = at;
      return first.shift() ?? { at, command: random.next() };
    };
    const next = (): Timed => {
      const timed = first.shift() ?? drawn();
      const isDue = twin.orders.some((order) => twin.dueOf(order) <= timed.at);
      if (isDue || twin.wasAway(timed.at)) twin.apply(timed.at, { type: 'RunOtcTimers' });
      if (NaiveDesk.knows(timed.command)) twin.apply(timed.at, timed.command);
      return timed;
    };
    return { next, follow: () => undefined };
  },
  fund() {
    const random = new RandomFunds(new Chance(SEED));
    let valued = 0;
    const waiting: Command[] = [];
    let last = millis(0);
    const next = (): Timed => {
      const before = waiting.shift();
      if (before !== undefined && last > 0) return { at: last, command: before };
      const timed = random.next();
      last = timed.at;
      return timed;
    };
    return {
      next,
      follow(_, events) {
        random.follow(events);
        // More than one command executes, and an end by an operator.
        for (const event of events) if (event.type === 'FundOpened') waiting.push(...crowdOf(event));
        for (const event of events) {
          if (event.type === 'FundValued') valued += 1;
          if (event.type === 'FundValued' && valued % CLOSED_AFTER === 0) waiting.push({ type: 'CloseFund', fund: event.fund });
        }
      },
    };
  },
};

/** Small subscriptions of the leader of a fund. */
function* crowdOf({ fund, leader: account }: FundOpened): Generator<Command> {
  for (let count = 0; count < CROWD; count += 1)
    yield { type: 'SubscribeToFund', fund, account, subscriptionId: `crowd-${fund}-${count}`, amount: atoms(10_000_000n) };
}

/** One of this number of orders of a spot market comes once more with terms of its own, and as one of a pair. */
const TERMS_EVERY = 4;

/** Take-profits, trailing stops, purchases with protection and pairs, around the price of an order. */
function withTerms({ at, command }: Timed, count: number): readonly Timed[] {
  if (command.type !== 'PlaceOrder' || command.orderType !== 'limit' || count % TERMS_EVERY !== 0) return [];
  const { account, market, side, price, size, selfTradePrevention } = command;
  const beyond = ticks(side === 'sell' ? price + 3 : Math.max(1, price - 3));
  const against = ticks(side === 'sell' ? Math.max(1, price - 3) : price + 3);
  const nothing = {
    source: 'plain',
    trailingPpm: ppm(0),
    activationPrice: NO_TICKS,
    takeProfit: NOT_ATTACHED,
    stopLoss: NOT_ATTACHED,
  } as const;
  const stop = { ...command, clientOrderId: '', orderType: 'stopMarket', timeInForce: 'IOC', price: NO_TICKS } as const;
  const leg = { clientOrderId: '', slippagePpm: ppm(0) };
  const wins = { ...leg, orderType: 'limit', price: beyond, triggerPrice: NO_TICKS } as const;
  const loses = { ...leg, orderType: 'stopMarket', price: NO_TICKS, triggerPrice: against } as const;
  const [above, below] = side === 'sell' ? [wins, loses] : [loses, wins];
  const attached = (triggerPrice: number) => ({ ...NOT_ATTACHED, triggerPrice: ticks(Math.max(1, triggerPrice)) });
  const commands: readonly Command[] = [
    { type: 'PlacePair', account, market, side, size, selfTradePrevention, above, below },
    { ...stop, type: 'PlaceSpotOrder', triggerPrice: beyond, spot: { ...nothing, source: 'takeProfit' } },
    { ...stop, type: 'PlaceSpotOrder', triggerPrice: NO_TICKS, spot: { ...nothing, trailingPpm: ppm(10_000) } },
    { ...stop, type: 'PlaceSpotOrder', triggerPrice: NO_TICKS, spot: { ...nothing, trailingPpm: ppm(5_000), activationPrice: beyond } },
    {
      ...command,
      type: 'PlaceSpotOrder',
      clientOrderId: '',
      side: 'buy',
      spot: { ...nothing, takeProfit: attached(price + 3), stopLoss: attached(price - 3) },
    },
  ];
  return commands.map((each) => ({ at, command: each }));
}

/** A practice contract that goes along with the first one: the same prices and some of the same orders, for practice money. */
function practice(): (timed: Timed, count: number) => readonly Timed[] {
  const [first] = CONTRACTS;
  if (first === undefined) throw new Error('there is a contract to go along with');
  const asset = assetId(9);
  const market = marketId(90);
  const listing: readonly Command[] = [
    { type: 'RegisterAsset', asset, code: 'PRACTICE', decimals: 6, kind: 'internal' },
    { type: 'SetPracticeAsset', asset },
    { type: 'RegisterContract', ...first, market, symbol: 'BTC_PRACTICE', quoteCode: 'PRACTICE', settle: asset },
    { type: 'StockPractice', account: accountId(1), upTo: atoms(1_000_000_000_000n) },
  ];
  return ({ at, command }, count) => {
    const commands: Command[] = count === 1 ? [...listing] : [];
    if (count % GRANT_EVERY === 0)
      commands.push({ type: 'GrantPractice', account: accountId(1 + ((count / GRANT_EVERY) % TRADERS)), day: dayOf(at) });
    if (command.type === 'SubmitPrices' && command.market === first.market) commands.push({ ...command, market });
    if (command.type === 'PlaceContractOrder' && command.market === first.market) commands.push({ ...command, market });
    return commands.map((each) => ({ at, command: each }));
  };
}

async function make(name: string | undefined, about = 'spot'): Promise<void> {
  const subject = SUBJECTS.find((one) => one === about);
  const source = subject === undefined ? undefined : SOURCES[subject];
  if (name === undefined || !/^[0-9a-z-]+$/.test(name) || subject === undefined || source === undefined)
    throw new Error(`usage: node torture/src/golden/make.ts <name> [${SUBJECTS.join('|')}] [seed]`);
  const directory = goldenFolder(name);
  if (existsSync(directory)) throw new Error(`${directory} is there: a golden history is never made again`);
  mkdirSync(directory, { recursive: true });
  let now = 0;
  const heart = await openSequencer({
    directory,
    engines: { createEngine: () => withBug(createEngine()), decodeState: (bytes) => withBug(decodeState(bytes)) },
    disk: nodeDisk,
    clock: { wallMs: () => now, monotonicMs: () => now },
    onFatal(error) {
      throw error;
    },
    log: () => undefined,
    limits: LIMITS,
  });
  const poisoned = await fill(heart, source(), (at) => {
    now = at;
  });
  const { commands, forms } = await countCommands(heart);
  const counts = { poisoned, commands, ...(Object.keys(forms).length > 0 && { forms }) };
  await heart.stop();
  const missing = [...missingKinds(commands, [subject]), ...missingForms(forms, [subject])];
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')} came up: take another seed or more commands`);
  leaveOldSnapshot(directory);
  const { seq, stateHash, stateHashes, checked } = verifyFolder(directory, { createEngine, decodeState });
  const expected: Expected = {
    seq,
    stateHash,
    layout: [...stateHashes].find(([, hash]) => hash === stateHash)?.[0] ?? 1,
    hashes: checked,
    snapshotSeq: SNAPSHOT_EVERY,
    ...counts,
  };
  writeFileSync(join(directory, EXPECTED), `${JSON.stringify(expected, undefined, 2)}\n`);
  process.stdout.write(`${directory}: ${seq} commands, state ${stateHash}\n`);
}

/** @returns how many commands are poisoned */
async function fill(heart: Sequencer, source: Source, setTime: (at: number) => void): Promise<number> {
  let poisoned = 0;
  const submit = async (command: Command): Promise<void> => {
    const { seq, events } = await heart.submit(command);
    source.follow({ seq, command }, events);
  };
  for (let count = 0, group = 0; count < COMMANDS; group += 1) {
    const together = Array.from({ length: GROUPS[group % GROUPS.length] ?? 1 }, () => source.next());
    setTime(together.at(-1)?.at ?? 0);
    const answers = together.map(({ command }) => submit(command));
    const isPoisonDue = Math.floor(count / POISON_EVERY) !== Math.floor((count + together.length) / POISON_EVERY);
    if (isPoisonDue) answers.push(submit(POISON));
    await Promise.all(answers);
    count += together.length;
    if (!isPoisonDue) continue;
    poisoned += 1;
    // The heart has closed the market.
    await submit({ type: 'SetMarketState', market: POISON.market, state: 'TRADING' });
  }
  // A round of prices seldom leaves more than a command does: as a repetition it does nothing.
  await submit({ type: 'ContinueLiquidations' });
  return poisoned;
}

/** By kind, those included that the heart placed itself. */
async function countCommands(heart: Sequencer): Promise<Required<Pick<Expected, 'commands' | 'forms'>>> {
  const commands: Record<string, number> = {};
  const forms: Record<string, number> = {};
  let left: number = heart.status().seq;
  for await (const batch of heart.subscribe(seqOf(0))) {
    for (const { command } of batch) {
      commands[command.type] = (commands[command.type] ?? 0) + 1;
      const form = formOf(command);
      if (form !== undefined) forms[form] = (forms[form] ?? 0) + 1;
    }
    left -= batch.length;
    if (left === 0) break;
  }
  return { commands, forms };
}

/** As a crash leaves it: a snapshot in the middle, and a tail behind it; no files that only a running heart needs. */
function leaveOldSnapshot(directory: string): void {
  const snapshots = join(directory, 'snapshots');
  const kept = `${String(SNAPSHOT_EVERY).padStart(16, '0')}.snapshot`;
  for (const name of readdirSync(snapshots)) if (name !== kept) rmSync(join(snapshots, name));
  if (!existsSync(join(snapshots, kept))) throw new Error(`there is no snapshot ${kept}`);
  const journal = join(directory, 'journal');
  for (const name of readdirSync(journal)) if (!name.endsWith('.segment')) rmSync(join(journal, name));
}

await make(process.argv[2], process.argv[3]);

/**
 * How long a start takes: a journal of a million commands read, checked, applied and proved by its hundred state hashes, and the same folder
 * opened from its snapshot. The journal is on disk, in the page cache as after a crash of the process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { Reader, readCommand } from '@orrery/protocol';
import { openSequencer } from '@orrery/sequencer';
import type { Sequencer } from '@orrery/sequencer';
import { generateFlow } from './book/flow.ts';
import { BASE } from './book/workloads.ts';
import { bookStream } from './engine/book-commands.ts';
import { busyStream } from './engine/busy-flow.ts';
import type { OrderStream } from './engine/order-stream.ts';
import { collectGarbage, median, rounded, spentOn, type Spent } from './measure.ts';
import { heartIn } from './measured-heart.ts';
import type { Findings, Part } from './part.ts';

const COMMANDS = 1_000_000;
const PASSES = 3;
/** Commands that share one frame of the journal. */
const TOGETHER = 1_000;

export const replayPart: Part = { name: 'replay', about: 'a start from a journal of a million commands, and from a snapshot', measure };

interface Starts {
  readonly journal: Spent;
  readonly snapshot: Spent;
}

async function measure(): Promise<Findings> {
  const base = await startsOf(bookStream(generateFlow(BASE), { accounts: 1_000, clientOrderIds: false }));
  const busy = await startsOf(busyStream({ seed: 42, commands: COMMANDS }));
  const time = ({ wallSeconds, processorSeconds }: Spent): string =>
    `${wallSeconds.toFixed(2)} s (${processorSeconds.toFixed(2)} s of processor time)`;
  const row = (what: string, { journal, snapshot }: Starts): string =>
    `${what.padEnd(40)} from the journal ${time(journal)}, from a snapshot ${time(snapshot)}`;
  return {
    figures: {
      replay: {
        seconds1M: rounded(base.journal.wallSeconds, 2),
        secondsFromSnapshot: rounded(base.snapshot.wallSeconds, 2),
        processorSeconds1M: rounded(base.journal.processorSeconds, 2),
        busySeconds1M: rounded(busy.journal.wallSeconds, 2),
        busySecondsFromSnapshot: rounded(busy.snapshot.wallSeconds, 2),
        busyProcessorSeconds1M: rounded(busy.journal.processorSeconds, 2),
      },
    },
    lines: [row('1,000 resting', base), row('20,000 resting, 0.4 trades an order', busy)],
  };
}

/** @param stream with its prelude at least a million commands */
async function startsOf(stream: OrderStream): Promise<Starts> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-replay-'));
  try {
    await write(directory, stream);
    const fromSnapshot = await timesOf(directory, () => undefined);
    const fromJournal = await timesOf(directory, () => rmSync(join(directory, 'snapshots'), { recursive: true }));
    return { snapshot: fromSnapshot, journal: fromJournal };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function write(directory: string, stream: OrderStream): Promise<void> {
  const heart = await open(directory);
  let waiting: Promise<unknown>[] = [];
  for (const command of commandsOf(stream)) {
    waiting.push(heart.submit(command));
    if (waiting.length < TOGETHER) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  await heart.stop();
}

function* commandsOf({ prelude, orders }: OrderStream): Generator<Command> {
  yield* prelude;
  const reader = new Reader(orders.bytes);
  for (let count = prelude.length; count < COMMANDS; count += 1) yield readCommand(reader);
}

/** The median opening of the folder, which is closed again each time. */
async function timesOf(directory: string, before: () => void): Promise<Spent> {
  const times: Spent[] = [];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    before();
    collectGarbage();
    let heart: Sequencer | undefined;
    times.push(
      await spentOn(async () => {
        heart = await open(directory);
      }),
    );
    if (heart?.status().seq !== COMMANDS) throw new Error('the start does not end with the last command');
    await heart.stop();
  }
  const counted = times.slice(1);
  return {
    wallSeconds: median(counted.map(({ wallSeconds }) => wallSeconds)),
    processorSeconds: median(counted.map(({ processorSeconds }) => processorSeconds)),
  };
}

function open(directory: string): Promise<Sequencer> {
  return openSequencer(heartIn(directory, { createEngine, decodeState }));
}

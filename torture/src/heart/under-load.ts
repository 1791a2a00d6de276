/**
 * A process that is made to be killed: `node under-load.ts <folder> <seed> [command in hex …]` submits the commands given, whose outcome
 * was not known, then random ones without end, several at a time. It reports to its parent, line by line and each before the next action:
 * `ready <seq>`, `sent <command in hex>`, `done <seq> <how many were sent before it>`.
 */
import { writeSync } from 'node:fs';
import { createEngine, decodeState } from '@orrery/engine';
import { decodeCommand, encodeCommand, type Command } from '@orrery/protocol';
import { nodeDisk, openSequencer } from '@orrery/sequencer';
import { assetId, atoms, millis } from '@orrery/units';
import { addressOf, RandomCommands } from '../../../core/engine/src/testing/random-commands.ts';
import { OPENING } from './script.ts';

const [directory = '', seed = '0', ...unknown] = process.argv.slice(2);
const HANDS = 8;
/** Small enough that most lives see a new segment and a snapshot. */
const LIMITS = {
  segmentBytes: 1 << 15,
  reserveBytes: 1 << 15,
  hashEvery: 50,
  snapshotEvery: 400,
  recentCommands: 64,
  recentCommandsKept: 8,
  minFreeRatio: 0,
};

const heart = await openSequencer({
  directory,
  engines: { createEngine, decodeState },
  disk: nodeDisk,
  clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
  onFatal(error) {
    throw error;
  },
  log: () => undefined,
  limits: LIMITS,
});
const begin = heart.status().seq;
writeSync(1, `ready ${begin}\n`);

let sent = 0;
async function submit(command: Command): Promise<Awaited<ReturnType<typeof heart.submit>>> {
  const place = sent;
  sent += 1;
  writeSync(1, `sent ${Buffer.from(encodeCommand(command)).toString('hex')}\n`);
  const receipt = await heart.submit(command);
  writeSync(1, `done ${receipt.seq} ${place}\n`);
  return receipt;
}

const random = new RandomCommands(Number(seed), { upgrades: false });
// An exchange that stands already is not opened again.
if (begin >= OPENING) for (let skipped = 0; skipped < OPENING; skipped += 1) random.next();

let deposits = 0;
/** Every fourth command is a deposit under a new key. */
async function hand(index: number): Promise<void> {
  for (let count = index; ; count += 1) {
    if (count % 4 === 0) {
      deposits += 1;
      const key = `${seed}-${deposits}`;
      await submit({ type: 'CreditDeposit', key, address: addressOf(1 + (count % 5)), asset: assetId(1), amount: atoms(10_000n) });
      continue;
    }
    const { command } = random.next();
    const { seq, events } = await submit(command);
    random.follow({ seq, at: millis(0), command }, events);
  }
}

for (const hex of unknown) await submit(decodeCommand(Buffer.from(hex, 'hex')));
await Promise.all(Array.from({ length: HANDS }, (_, index) => hand(index)));

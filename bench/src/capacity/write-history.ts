/**
 * `node write-history.ts <folder> <resting> <accounts> <markets> <orders>`: a folder of history with a snapshot of that size, and `orders` commands after it. In a
 * process of its own, whose memory is not that of the reader.
 */
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { openSequencer, type Sequencer } from '@orrery/sequencer';
import { GrowthFlow } from '../engine/growth-flow.ts';
import { heartIn } from '../measured-heart.ts';

const AT_ONCE = 8_192;

const [directory = '', ...counts] = process.argv.slice(2);
const [resting = 0, accounts = 0, markets = 0, orders = 0] = counts.map(Number);
const flow = new GrowthFlow({ resting, accounts, markets });

// The running hashes of the journal are enough: the one whole state that is written is that of the stop.
const open = (): Promise<Sequencer> => openSequencer({ ...heartIn(directory, { createEngine, decodeState }), provedBy: 'follower' });

async function submit(heart: Sequencer, commands: Iterable<Command>): Promise<void> {
  let batch: Promise<unknown>[] = [];
  for (const command of commands) {
    batch.push(heart.submit(command));
    if (batch.length < AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}

const first = await open();
await submit(first, flow.prelude());
const { seq } = first.status();
await first.stop();
const second = await open();
await submit(second, flow.orders(orders));
process.send?.({ snapshotSeq: seq, lastSeq: second.status().seq });
// Without a stop, as after a crash: the commands after the snapshot are only in the journal.
process.disconnect();
process.exit(0);

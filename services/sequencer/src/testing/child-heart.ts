/**
 * A process that is made to be killed: opens the folder named by its first argument, submits orders without end from several clients at once,
 * and tells its parent about each answer, one line of text each: `seq person`.
 */
import { writeSync } from 'node:fs';
import type { Command } from '@orrery/protocol';
import { openHeart } from './open-heart.ts';
import { personAddress } from './fake-engine.ts';

const [directory = '', first = '0'] = process.argv.slice(2);
const CLIENTS = 8;

const { heart } = await openHeart(directory, { limits: { snapshotEvery: 50, hashEvery: 10 } });
writeSync(1, `ready ${heart.status().seq} ${heart.status().stateHash}\n`);

async function client(index: number): Promise<void> {
  for (let person = Number(first) + index; ; person += CLIENTS) {
    const command: Command = { type: 'OpenAccount', address: personAddress(person) };
    const { seq } = await heart.submit(command);
    writeSync(1, `${seq} ${person}\n`);
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));

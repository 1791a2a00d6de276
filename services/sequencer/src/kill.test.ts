/** Real processes, killed without warning while they answer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { seq } from '@orrery/units';
import { personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const CYCLES = 50;
const CHILD = fileURLToPath(new URL('testing/child-heart.ts', import.meta.url));

interface Ack {
  readonly seq: number;
  readonly person: number;
}

/** Runs a child on the folder and kills it after some answers; the answers it gave. */
async function runAndKill(folder: string, { first, killAfter }: { first: number; killAfter: number }): Promise<readonly Ack[]> {
  const child = spawn(process.execPath, [CHILD, folder, String(first)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const exited = once(child, 'exit');
  const acks: Ack[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [position, person] = line.split(' ');
    if (position === 'ready') continue;
    acks.push({ seq: Number(position), person: Number(person) });
    if (acks.length === killAfter) child.kill('SIGKILL');
  }
  await exited;
  expect(complaints.join('')).toBe('');
  return acks;
}

test(
  `kill -9 under load ${CYCLES} times: every answered command is there once, in its place, and two replays agree`,
  { timeout: 300_000 },
  async () => {
    const folder = newFolder();
    const acks: Ack[] = [];
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      acks.push(...(await runAndKill(folder, { first: 1 + cycle * 100_000, killAfter: 1 + ((cycle * 37) % 200) })));
    }
    expect(acks.length).toBeGreaterThan(CYCLES);
    const { heart } = await openHeart(folder);
    const last = heart.status().seq;
    const people = new Map<number, string>();
    const events = new Map<string, number>();
    for await (const batch of heart.subscribe(seq(0))) {
      for (const { seq: position, command } of batch) {
        if (command.type !== 'OpenAccount') continue;
        people.set(position, command.address);
        events.set(command.address, (events.get(command.address) ?? 0) + 1);
      }
      if (batch.at(-1)?.seq === last) break;
    }
    for (const { seq: position, person } of acks) {
      expect(people.get(position)).toBe(personAddress(person));
      expect(events.get(personAddress(person))).toBe(1);
    }
    const { stateHash } = heart.status();
    await heart.stop();
    const again = await openHeart(folder);
    expect(again.heart.status()).toMatchObject({ seq: last, stateHash });
    await again.heart.stop();
  },
);

test('a second process on the same folder is refused in one sentence, and the folder of a killed one is taken over', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder);
  await expect(openHeart(folder)).rejects.toThrow(`the data folder ${folder} is in use by another process (pid ${process.pid})`);
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).not.toBe(0);
  expect(complaints.join('')).toContain(`in use by another process (pid ${process.pid})`);
  await heart.stop();
  await runAndKill(folder, { first: 1, killAfter: 1 });
  const after = await openHeart(folder);
  await after.heart.stop();
});

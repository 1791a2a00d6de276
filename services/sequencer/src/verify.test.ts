import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { assetId } from '@orrery/units';
import { verifyFolder } from './verify.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

afterEach(removeFolders);

const VERIFY = fileURLToPath(new URL('verify.ts', import.meta.url));

function runVerify(folder: string): Promise<{ code: number; output: string; complaint: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [VERIFY, folder], (error, output, complaint) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, complaint });
    });
  });
}

const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: personAddress(person) });

test('anyone can replay a folder and reaches the state that the exchange names', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines: { createEngine, decodeState }, limits: { snapshotEvery: 10 } });
  await heart.submit({ type: 'RegisterAsset', asset: assetId(1), code: 'USDC', decimals: 6, kind: 'chain' });
  for (let person = 1; person < 23; person += 1) await heart.submit(openAccount(person));
  await heart.stop();
  const { stateHash } = (await reopened(folder)).status();
  expect(await runVerify(folder)).toEqual({
    code: 0,
    output: `seq 23 state ${stateHash} (10 hashes compared on the way)\n`,
    complaint: '',
  });
  const [segment] = readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.segment'));
  const path = join(folder, 'journal', segment ?? '');
  const bytes = readFileSync(path);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const refused = await runVerify(folder);
  expect(refused).toMatchObject({ code: 1, output: '' });
  expect(refused.complaint).toMatch(/^the journal is damaged: .+\.segment at offset [0-9]+: .+\n$/);
});

test('a folder without history is named', async () => {
  const folder = newFolder();
  const complaint = `there is no history in ${folder}: no ${join(folder, 'journal')}\n`;
  expect(await runVerify(folder)).toEqual({ code: 1, output: '', complaint });
});

async function reopened(folder: string): Promise<{ status(): { stateHash: string } }> {
  const { heart } = await openHeart(folder, { engines: { createEngine, decodeState } });
  await heart.stop();
  return heart;
}

test('a snapshot of another history than that of the journal is found', async () => {
  const folder = newFolder();
  const other = newFolder();
  for (const [directory, shift] of [
    [folder, 0],
    [other, 100],
  ] as const) {
    const { heart } = await openHeart(directory);
    for (let person = 1; person < 8; person += 1) await heart.submit(openAccount(person + shift));
    await heart.stop();
  }
  const name = readdirSync(join(folder, 'snapshots'))[0] ?? '';
  writeFileSync(join(folder, 'snapshots', name), readFileSync(join(other, 'snapshots', name)));
  expect(() => verifyFolder(folder, fakeEngines)).toThrow(
    `another state than the snapshot ${join(folder, 'snapshots', name)} at command 7`,
  );
});

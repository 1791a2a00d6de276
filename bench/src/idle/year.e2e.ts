/** The whole program at rest, with its market-maker and its managers of funds: what it writes, for a year. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../door/served.ts';
import { packedShare, sampleDisk } from './disk-sample.ts';
import type { ServedIdle } from './serve-idle.ts';
import { projectYear } from './year.ts';

const YEAR_BYTES_MAX = 20e9;
/** Less than a minute of an exchange at rest. */
const COMMANDS = 1_200;
const LOOK_MS = 2_000;

interface Status {
  readonly seq: number;
  readonly quoteMovePpm: number;
  readonly ready: boolean;
}

async function statusOf(url: string): Promise<Status> {
  return ((await (await fetch(`${url}/status`)).json()) as { readonly data: Status }).data;
}

async function until(url: string, isSo: (status: Status) => boolean): Promise<Status> {
  for (;;) {
    const status = await statusOf(url);
    if (isSo(status)) return status;
    await pause(LOOK_MS);
  }
}

test('a year of an exchange at rest stays under 20 GB', { timeout: 1_200_000 }, async ({ skip }) => {
  if (process.env['ORRERY_LITTLE_TIME'] !== undefined) skip('this machine is too slow for it');
  const exchange = await serve<ServedIdle>('../idle/serve-idle.ts');
  onTestFinished(() => exchange.stop());
  const { url, directory } = exchange.facts;
  const { seq } = await until(url, ({ ready, quoteMovePpm }) => ready && quoteMovePpm > 0);
  // What stood in the books when it came to rest is gone.
  const begun = await until(url, (status) => status.seq >= seq + COMMANDS / 3);
  const before = await sampleDisk(exchange.facts);
  await until(url, (status) => status.seq >= begun.seq + COMMANDS);
  const after = await sampleDisk(exchange.facts);
  const year = projectYear(before, after, packedShare(directory));
  const lines = year.parts.slice(0, 12).map(({ name, bytes, rows }) => {
    const each = rows === undefined ? '' : `, ${Math.round(rows.perHour)} rows an hour of ${Math.round(rows.bytesEach)} bytes`;
    return `${name}: ${(bytes / 1e9).toFixed(2)} GB${each}`;
  });
  console.log(`a year at rest: ${(year.bytes / 1e9).toFixed(1)} GB\n${lines.join('\n')}`);
  expect(year.bytes, lines.join('; ')).toBeLessThan(YEAR_BYTES_MAX);
  expect(after.commands - before.commands).toBeGreaterThanOrEqual(COMMANDS);
});

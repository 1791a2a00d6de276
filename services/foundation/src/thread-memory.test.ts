import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('./thread-memory.ts', import.meta.url).href;

/** A thread that keeps enough of what it makes for its young generation to grow to the limit. */
const THREAD = `
  import { parentPort } from 'node:worker_threads';
  import { getHeapSpaceStatistics } from 'node:v8';
  let kept = [];
  for (let count = 0; count < 3_000_000; count += 1) {
    kept.push({ count, more: [count] });
    if (kept.length > 200_000) kept = [];
  }
  parentPort.postMessage(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20);
`;

const sizesOf = (before: string): { small: number; large: number } => {
  const code = `
    import { Worker } from 'node:worker_threads';
    import { SMALL_YOUNG, LARGE_YOUNG, threadsHaveTheirOwnLimits } from ${JSON.stringify(MODULE)};
    ${before}
    const sizeOf = (resourceLimits) => new Promise((resolve, reject) => {
      const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(THREAD)}));
      new Worker(url, { resourceLimits }).on('message', resolve).on('error', reject);
    });
    console.log(JSON.stringify({ small: await sizeOf(SMALL_YOUNG), large: await sizeOf(LARGE_YOUNG) }));
  `;
  const flags = ['--max-semi-space-size=128', '--no-parallel-scavenge', '--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as { small: number; large: number };
};

test('each thread has the young generation that it is given, in MiB, whatever flag the main thread was started with', () => {
  const { small, large } = sizesOf('threadsHaveTheirOwnLimits();');
  expect(small).toBeLessThanOrEqual(32);
  expect(large).toBeGreaterThan(32);
});

test('without that, the flag wins', () => {
  expect(sizesOf('').small).toBeGreaterThan(32);
});

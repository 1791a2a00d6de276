import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pathsIn } from './page-paths.ts';

const router = readFileSync(new URL('src/app/router.tsx', import.meta.url), 'utf8');

test('every route of the table has its path in the list, once', () => {
  const paths = pathsIn(router);
  expect(paths).toContain('/trade/spot/$pair');
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toHaveLength(router.match(/createRoute\(\{/g)?.length ?? 0);
});

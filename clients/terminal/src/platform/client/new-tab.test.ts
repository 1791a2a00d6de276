import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../..', import.meta.url));

test('[R4] whatever opens a tab asks first whether there are any: no page writes `_blank` or opens a window by itself', () => {
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'),
  );
  const openers = sources.filter((path) => /_blank|window\.open\(/.test(readFileSync(join(src, path), 'utf8')));
  expect(openers).toEqual(['platform/client/in-app.ts']);
});

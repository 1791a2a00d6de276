import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { millis } from '@orrery/units';
import { expect, onTestFinished, test } from 'vitest';
import { anchorMigrations, type AnchorTables, sharedAnchor } from './shared-anchor.ts';
import { temporaryDatabase } from './testing/temporary-database.ts';

const MINUTE = 60_000;

test('processes that start at once, and later ones, replay prices from one minute; the file of a version before decides where it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-anchor-'));
  const db = await temporaryDatabase<AnchorTables>({ ...anchorMigrations });
  const other = await temporaryDatabase<AnchorTables>({ ...anchorMigrations });
  onTestFinished(async () => {
    await Promise.all([db.close(), other.close()]);
    rmSync(folder, { recursive: true });
  });
  const path = (name: string): string => join(folder, name);
  const anchors = await Promise.all([3, 1, 2].map((minute) => sharedAnchor(db.sql, path('none')).keep(millis(minute * MINUTE))));
  expect(new Set(anchors).size).toBe(1);
  expect(await sharedAnchor(db.sql, path('none')).keep(millis(9 * MINUTE))).toBe(anchors[0]);
  writeFileSync(path('kept'), `${7 * MINUTE}\n`);
  expect(await sharedAnchor(other.sql, path('kept')).keep(millis(9 * MINUTE))).toBe(7 * MINUTE);
  expect(await sharedAnchor(other.sql, path('none')).keep(millis(10 * MINUTE))).toBe(7 * MINUTE);
});

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyFolder } from '../../services/sequencer/src/verify.ts';
import { Closing } from './closing.ts';
import { readConfig } from './config.ts';
import { ENGINES } from './engines.ts';
import { startJournalArchive } from './journal-archive.ts';
import { openLog } from './log.ts';
import { historyDirectory } from './start-heart.ts';
import { writeJournal } from './testing/short-segments.ts';

let data: string;
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'orrery-archive-'));
  await writeJournal(historyDirectory(data));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const segments = (): number => readdirSync(join(historyDirectory(data), 'journal')).filter((name) => name.endsWith('.segment')).length;
const archive = (): string => join(historyDirectory(data), 'archive');

function start(environment: Record<string, string>): Closing {
  const config = readConfig({ ORRERY_DATA: data, ORRERY_LOG: 'silent', ...environment });
  const closing = new Closing((part, error) => expect.fail(`${part}: ${String(error)}`));
  startJournalArchive({ config, closing, log: openLog(config), onFatal: (error) => expect.fail(error.message) });
  return closing;
}

test('the program packs what is old, and the journal verifies as before', async () => {
  const [before, count] = [verifyFolder(historyDirectory(data), ENGINES), segments()];
  const closing = start({});
  // The newest snapshot but one holds all but the last hundred commands, of some segments.
  await vi.waitFor(
    () => expect(readdirSync(archive()).filter((name) => name.endsWith('.packed')).length).toBeGreaterThan(count / 3),
    60_000,
  );
  await closing.run();
  expect(segments()).toBeLessThan(count);
  expect(verifyFolder(historyDirectory(data), ENGINES)).toEqual(before);
});

test('with ORRERY_OLD_JOURNAL=keep nothing is packed', async () => {
  const count = segments();
  await start({ ORRERY_OLD_JOURNAL: 'keep' }).run();
  expect([segments(), existsSync(archive())]).toEqual([count, false]);
});

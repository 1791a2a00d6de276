import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { wallClockViolations, windowViolations } from './clocks.ts';
import type { SourceFile } from './source-rules.ts';

/** Why a file reads the wall clock itself. */
const REASONS: Readonly<Record<string, string>> = {
  'exchange/src/backup.ts': 'when a set was made, for people',
  'exchange/src/embedded/chain/local-chain.ts': 'the time of blocks is the time of the world',
  'exchange/src/embedded/chain/orphan.ts': 'how long the end of a process is waited for',
  'exchange/src/embedded/postgres/orphan.ts': 'how long the end of a process is waited for',
  'exchange/src/embedded/postgres/postgres.ts': 'how long the start of a process is waited for',
  'exchange/src/history/history-thread.ts': 'when history became stale, for people; how long ago is measured by the monotonic clock',
  'exchange/src/messages/mailbox.ts': 'the time of a message, for people',
  'exchange/src/open-door.ts': 'what a client has signed is judged by it',
  'exchange/src/services/accounts.ts': 'what a wallet has signed is judged by it',
  'exchange/src/services/indexer.ts': 'deadlines that the chain checks',
  'exchange/src/services/operators.ts': 'a session ends by it',
  'exchange/src/services/prices.ts': 'outside prices are those of the world now',
  'exchange/src/start-heart.ts': 'the clock of history is made from it',
  'exchange/src/start.ts': 'since when the journal has this writer: what was signed before is refused',
  'exchange/src/traces/start-traces.ts': 'spans of several processes are put beside each other by it',
  'services/gateway/src/limits/shared-counts.ts': 'the library that counts in SQL writes the end of a row by it',
  'services/accounts/src/files/s3-file-store.ts': 'a signature that another service judges',
};

const table = readFileSync(join(repository, 'tools/house/windows.txt'), 'utf8');
const sources: readonly SourceFile[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'services', 'exchange', 'api'],
  {
    cwd: repository,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));

test('every length of time has a row that says which clock it goes by', () => {
  expect(windowViolations(sources, table)).toEqual([]);
});

test('what has a term goes by the clock that it is given: the wall clock is read where that is known to be right', () => {
  expect(wallClockViolations(sources, REASONS)).toEqual([]);
});

test('a planted window without a row is found, and so are a row without one and a row of no clock', () => {
  const planted = { path: 'services/accounts/src/planted.ts', text: 'const PLANTED_MS = 5_000;' };
  const violations = windowViolations(
    [planted],
    '# a comment\nGONE_MS steady services/accounts/src/gone.ts\nPLANTED_SECONDS sun services/accounts/src/planted.ts\n',
  );
  expect(violations).toEqual([
    'PLANTED_MS services/accounts/src/planted.ts has no row',
    'GONE_MS services/accounts/src/gone.ts is no window',
    'PLANTED_SECONDS services/accounts/src/planted.ts is no window',
    'PLANTED_SECONDS services/accounts/src/planted.ts goes by no clock',
  ]);
});

test.each(['const now = options.now ?? Date.now;', 'const at = new Date().toISOString();'])(
  'a planted reader of the wall clock is found: %s',
  (text) => {
    const path = 'services/campaign/src/planted.ts';
    expect(wallClockViolations([{ path, text }], {})).toHaveLength(1);
    expect(wallClockViolations([{ path, text }], { [path]: 'a reason' })).toEqual([]);
    expect(wallClockViolations([{ path, text: '' }], { [path]: 'a reason' })).toHaveLength(1);
  },
);

import { expect, test } from 'vitest';
import { urlsOf } from './hosts.ts';

test('each host of a URL is a URL of its own', () => {
  expect(urlsOf('postgres://orrery:secret@one:5432,two:5433/journal?target_session_attrs=read-write&sslmode=require')).toEqual([
    'postgres://orrery:secret@one:5432/journal?sslmode=require',
    'postgres://orrery:secret@two:5433/journal?sslmode=require',
  ]);
  expect(urlsOf('postgresql://one/journal')).toEqual(['postgresql://one/journal']);
  expect(urlsOf('postgres://orrery@/journal?host=%2Frun%2Fpostgresql')).toEqual(['postgres://orrery@/journal?host=%2Frun%2Fpostgresql']);
});

test('what is no such URL is refused without showing it', () => {
  for (const url of [
    'secret',
    'http://secret',
    'postgres://one,two:secret/journal',
    'postgres://secret@one/x?target_session_attrs=standby',
  ])
    expect(() => urlsOf(url)).toThrow(/^ORRERY_JOURNAL (?!.*secret)/);
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { AVOIDED_WORDS, nameViolations, proseOf, wordViolations } from './plain-words.ts';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: repository, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs|sol|md)$/.test(path) && !path.includes('/generated/'));

test('no comment, document or test title says an avoided word', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((path) => wordViolations({ path, text: read(path) }))).toEqual([]);
});

test('no name of the code or of a file is made of an avoided word', () => {
  expect(files.flatMap((path) => nameViolations({ path, text: read(path) }))).toEqual([]);
});

test.each(['toldAt', 'wasTold', '#tellFast', 'DayDeeds', 'TELL_MS', 'untilTold'])('the name %s is found', (name) => {
  const text = `class Shop {\n  ${name} = 1;\n}`;
  expect(nameViolations({ path: 'new/x.ts', text })).toEqual([`new/x.ts names something ${name.replace('#', '')}: it says nothing exact`]);
  expect(nameViolations({ path: 'new/tell-fast.ts', text: '' })).toEqual([expect.stringContaining('tell-fast.ts')]);
  expect(
    nameViolations({ path: 'new/x.ts', text: `const teller = '${name}'; // ${name}\nconst [Intelligence, satellite, indeed] = [];` }),
  ).toEqual([]);
});

test('STYLE.md lists the avoided words', () => {
  const rows = read('STYLE.md')
    .split('\n')
    .filter((line) => line.startsWith('  | '))
    .map((line) => line.split('|')[1]?.trim() ?? '');
  expect(rows.filter((row) => row !== 'avoid')).toEqual([...AVOIDED_WORDS.keys()]);
});

const SENTENCES = [
  'The reader is told.',
  'A row tells it.',
  'It stays for ever.',
  'Whoever reads it.',
  'The one who asks.',
  'It is asked of the disk.',
  'It is what lives long.',
  'It makes and forgets objects.',
  'A kilobyte is made and forgotten.',
  'The list is made anew.',
  'It comes to an end.',
  'Numbers checked by head.',
  'So many are kept.',
  'No such a one.',
];

test.each(SENTENCES)('the sentence "%s" is found in a document, in a comment and in a title', (sentence) => {
  const found = [expect.stringContaining('has the plain word')];
  expect(wordViolations({ path: 'docs/x.md', text: sentence })).toEqual(found);
  expect(wordViolations({ path: 'new/x.ts', text: `/**\n * ${sentence.replace(/ (?=\S+$)/, '\n * ')}\n */` })).toEqual(found);
  expect(wordViolations({ path: 'new/x.ts', text: `const x = 1; // ${sentence}` })).toEqual(found);
  expect(wordViolations({ path: 'new/x.test.ts', text: `test('${sentence}', () => {});` })).toEqual(found);
  expect(wordViolations({ path: 'new/x.test.ts', text: `test.each([\n  [1],\n])('${sentence}', () => {});` })).toEqual(found);
});

test('code is not prose: identifiers and addresses may hold the words', () => {
  expect(proseOf({ path: 'new/x.ts', text: "const told = 'http://anew';" })).toEqual([]);
});

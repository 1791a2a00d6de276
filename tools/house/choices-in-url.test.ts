import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { forgottenChoiceViolations, urlNameViolations } from './choices-in-url.ts';
import type { SourceFile } from './source-rules.ts';

const REASONS: Readonly<Record<string, string>> = {
  'areas/console/pairs.tsx': 'the list is in a dialog, which a reload closes',
  'areas/console/reversal.tsx': 'the list is of an address that was looked up: it begins with the look-up',
  'areas/notifications/notification-list.tsx': 'a menu over any page, which a reload closes',
  'trade/futures/positions/close-all-dialog.tsx': 'what is filled in to send an order',
};

/** Names of choices that are never on one page, or are one choice. */
const SHARED: Readonly<Record<string, string>> = {
  view: 'the chart panel of a wide window and the layout of a phone: one of them is shown, and a link suits both',
  table: 'the tables of spot and of futures: no page has both',
};

const sources: readonly SourceFile[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));

test('every tab, filter, range and page of a list is kept in the address, or is known to be one that a reload may forget', () => {
  expect(forgottenChoiceViolations(sources, REASONS)).toEqual([]);
});

test('each choice and each list has a name of its own in the address, and a filter begins a list that exists', () => {
  expect(urlNameViolations(sources, SHARED)).toEqual([]);
});

const page = (text: string, path = 'areas/points/x.tsx'): SourceFile => ({ path: `clients/terminal/src/${path}`, text });

test.each([
  ["const [tab, setTab] = useState<Tab>('own');\n<Tabs\n  label={text('a')}\n  value={tab}\n  onChange={setTab}\n>"],
  ['const [range, setRange] = useState(RANGES[0]);\n<Segmented label="range" value={range} choices={choices} onChange={setRange} />'],
  ['const [kind, setKind] = useState(\'any\');\n<Select size="small" value={kind} onChange={setKind} />'],
  ['const [page, setPage] = useState(firstPage);'],
  ['const [page, setPage] = useState<Page>({ page: 1, pageSize: 10 });'],
])('a choice that a reload forgets is found: %s', (text) => {
  expect(forgottenChoiceViolations([page(text)], {})).toEqual([
    'areas/points/x.tsx keeps a choice in useState: a reload and a link forget it',
  ]);
  expect(forgottenChoiceViolations([page(text)], { 'areas/points/x.tsx': 'a dialog' })).toEqual([]);
});

test.each([
  ["const [tab, setTab] = useChoiceInUrl({ name: 'tab', values: TABS, usual: 'own' });\n<Tabs value={tab} onChange={setTab}>"],
  ["const [name, setName] = useState('');\n<Field value={name} />\n<Tabs value={tab} onChange={setTab}>"],
  ["const [sheet, setSheet] = useState<'open' | 'closed'>('closed');\n<Dialog open={sheet === 'open'} />"],
])('what is typed, and what is open, is no choice of a page: %s', (text) => {
  expect(forgottenChoiceViolations([page(text)], {})).toEqual([]);
});

test('a reason that nothing needs is found', () => {
  expect(forgottenChoiceViolations([], { 'areas/points/x.tsx': 'a dialog' })).toEqual([
    'areas/points/x.tsx has a reason to keep a choice in useState, and keeps none',
  ]);
});

test('a name that two files give, one like the page of a list, and a filter of no list are found', () => {
  const one = page(
    "useChoiceInUrl({ name: 'range', values, usual: 'a', lists: ['rewards'] });\nusePageInUrl('fills');",
    'areas/points/one.tsx',
  );
  const other = page(
    "useChoiceInUrl({\n  name: 'range', values, usual: 'a' });\nuseChoiceInUrl({ name: 'fillsPage', values, usual });",
    'areas/points/two.tsx',
  );
  const records = page("const query = { key: ['fills'] as const, load };\n<RecordTable query={query} />", 'areas/points/three.tsx');
  const expected = [
    'areas/points/one.tsx: range stands for another choice elsewhere',
    'areas/points/one.tsx: fills stands for another choice elsewhere',
    'areas/points/two.tsx: fillsPage is called like the page of a list',
    'areas/points/one.tsx: there is no list rewards to begin again',
  ];
  expect(urlNameViolations([one, other, records], {})).toEqual(expected);
  expect(urlNameViolations([one, other, records], { range: 'one choice', fills: 'one list' })).toEqual(expected.slice(2));
});

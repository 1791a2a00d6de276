import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../step.ts';
import { folderViolations, FOLDERS, foldersOf } from './folder-table.ts';
import { importedPackages, importTableViolations, type PackageFacts } from './import-table.ts';
import { isTest, sourceViolations, type SourceFile } from './source-rules.ts';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: repository, encoding: 'utf8' }).split('\n');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const sources: readonly SourceFile[] = files
  .filter((path) => /\.(ts|tsx|mjs|sol)$/.test(path) && !path.includes('/generated/'))
  .map((path) => ({ path, text: read(path) }));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packages = files
  .filter((path) => path.endsWith('package.json') && path !== 'package.json')
  .map((path) => ({ directory: dirname(path), manifest: JSON.parse(read(path)) as Manifest }));

const shortName = (name: string): string => name.replace('@orrery/', '');

function factsFromManifests(): readonly PackageFacts[] {
  return packages.map(({ manifest }) => ({ name: shortName(manifest.name), dependencies: Object.keys(manifest.dependencies ?? {}) }));
}

function factsFromSources(): readonly PackageFacts[] {
  return packages.map(({ directory, manifest }) => {
    const own = sources.filter(({ path }) => path.startsWith(`${directory}/src/`) && !isTest(path));
    const imported = own.flatMap(({ text }) => importedPackages(text)).filter((name) => name.startsWith('@orrery/'));
    return { name: shortName(manifest.name), dependencies: [...new Set(imported)].filter((name) => name !== manifest.name) };
  });
}

describe('the import table', () => {
  test('every package depends only on what its row allows', () => {
    expect(importTableViolations(factsFromManifests())).toEqual([]);
  });

  test('every source file imports only what its package may', () => {
    expect(importTableViolations(factsFromSources())).toEqual([]);
  });

  test('a planted import of the engine by the gateway is found', () => {
    expect(importTableViolations([{ name: 'gateway', dependencies: ['@orrery/engine'] }])).toEqual(['gateway may not import engine']);
  });

  test('a planted npm package in the core is found', () => {
    expect(importTableViolations([{ name: 'rules', dependencies: ['big.js'] }])).toEqual(['rules is pure and may not depend on big.js']);
  });
});

describe('the folder table', () => {
  test('every folder imports only what its row allows, and no import goes in a circle', () => {
    const all = packages.map(({ directory, manifest: { name } }) => ({ directory, name }));
    expect(folderViolations(all, { sources, paths: new Set(files), table: FOLDERS })).toEqual([]);
  });

  test('the README of the terminal names its floors and folders in the order of the row', () => {
    const readme = read('clients/terminal/README.md');
    const cells = readme.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1] ?? []);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)\/`/g)].map(([, folder]) => folder));
    const places = FOLDERS['clients/terminal'] ?? [];
    const row = foldersOf(places);
    const floors = [...new Set(row.map((folder) => folder.split('/')[0]))];
    expect(named.filter((folder) => !folder?.includes('/'))).toEqual(floors);
    // A folder without a place of its own may be named, and need not be.
    const isOther = (folder = ''): boolean => places.includes(`${folder.split('/')[0]}/*`) && folder.includes('/') && !row.includes(folder);
    expect(new Set(named.filter((folder) => !isOther(folder)))).toEqual(new Set([...floors, ...row]));
  });
});

describe('source rules', () => {
  test('no source file breaks a house rule', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap(sourceViolations)).toEqual([]);
  });

  test.each([
    ['a forged brand', 'services/gateway/src/x.ts', 'const price = 5 as ' + 'Ticks;'],
    ['a float out of text', 'services/gateway/src/x.ts', 'const amount = parse' + 'Float(text);'],
    ['an absolute path', 'bench/src/x.ts', "const path = '/ho" + "me/alice/x';"],
    ['a radio group of its own', 'clients/terminal/src/x.tsx', '<div role="radio' + 'group" />'],
    ['a call past the data', 'clients/terminal/src/areas/points/x.ts', "import { http } from '../client/" + "client.ts';"],
    ['a query of its own', 'clients/terminal/src/areas/points/x.ts', 'const { data } = use' + 'Query({ queryKey });'],
    ['a stream past the data', 'clients/terminal/src/areas/points/x.ts', "import { browserFeed } from '../feed/" + "browser-feed.ts';"],
    ['a socket of its own', 'clients/terminal/src/areas/points/x.ts', 'const socket = new Web' + 'Socket(url);'],
    ['code without a boundary', 'clients/terminal/src/areas/points/x.tsx', '<Sus' + 'pense fallback={null} />'],
    ['unfinished work', 'api/src/x.ts', '// TO' + 'DO: later'],
  ])('%s is found', (_name, path, text) => {
    expect(sourceViolations({ path, text })).toHaveLength(1);
  });
});

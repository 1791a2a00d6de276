/** What the browser does not need is left out of the build: schemas by which servers check, and the reading of messages. */
import { contract, isOperatorPath, isSignerPath } from '@orrery/api';
import type { Plugin } from 'vite';

/** Of the whole contract a client calls by method and path: by method, each call's name and path, in the order of the paths, which compresses best. */
function slimOf(name: string, isIn: (path: string) => boolean): string {
  const calls = Object.entries(
    Object.groupBy(
      Object.entries(contract)
        .filter(([, { path }]) => isIn(path))
        .toSorted(([, a], [, b]) => (a.path < b.path ? -1 : 1)),
      ([, { method }]) => method,
    ),
  ).map(([method, ofMethod]) => [method, ofMethod.map(([call, { path }]) => `${call} ${path}`).join(' ')]);
  return `const words = (text) => text.match(/\\S+ \\S+/g).map((call) => call.split(' '));
export const ${name} = Object.fromEntries(
  ${JSON.stringify(calls)}.flatMap(([method, calls]) => words(calls).map(([name, path]) => [name, { method, path }])),
);`;
}

const MODULES: readonly (readonly [file: string, slim: string])[] = [
  ['/api/src/contract.ts', slimOf('contract', (path) => !isSignerPath(path) && !isOperatorPath(path))],
  // Only the console asks for them.
  ['/api/src/operator-contract.ts', slimOf('operatorContract', isOperatorPath)],
];

/** Without the calls of the signing page, and with those of operators apart. */
export const slimContract = (): Plugin => ({
  name: 'orrery-slim-contract',
  apply: 'build',
  load: (id) => MODULES.find(([file]) => id.endsWith(file))?.[1] ?? null,
});

/**
 * Modules of ours, and those that make schemas, only say what they export; what nobody imports is left out, and so is the making of a schema
 * that nobody uses. Otherwise every page would load what one page checks its form with.
 */
export const treeshake = {
  moduleSideEffects: (id: string): boolean => !/\/(api|core\/[a-z]+|clients\/sdk)\/src\/|\/node_modules\/typebox\//.test(id),
  manualPureFunctions: [
    'Type',
    'routes',
    'strict',
    'listed',
    'listedHistory',
    'paged',
    'pagedHistory',
    'cursored',
    'nullable',
    'own',
    'market',
    'or0',
  ],
};

/** A schema that takes over fields of another reads its properties, and does nothing else. On a page the reading of a size makes the browser lay it out. */
export const treeshakeOfWorker = { ...treeshake, propertyReadSideEffects: false as const };

/** What the browser does not need is left out of the build: schemas by which servers check, and the reading of messages. */
import { contract, isOperatorPath, isSignerPath } from '@orrery/api';
import type { Plugin } from 'vite';

/** Of the whole contract a client calls by method and path: by method, each call's name and path, in the order of the paths, which compresses best. */
function slimOf(isLeftOut: (path: string) => boolean): string {
  const calls = Object.entries(
    Object.groupBy(
      Object.entries(contract)
        .filter(([, { path }]) => !isLeftOut(path))
        .toSorted(([, a], [, b]) => (a.path < b.path ? -1 : 1)),
      ([, { method }]) => method,
    ),
  ).map(([method, ofMethod]) => [method, ofMethod.map(([name, { path }]) => `${name} ${path}`).join(' ')]);
  return `const words = (text) => text.match(/\\S+ \\S+/g).map((call) => call.split(' '));
export const contract = Object.fromEntries(
  ${JSON.stringify(calls)}.flatMap(([method, calls]) => words(calls).map(([name, path]) => [name, { method, path }])),
);`;
}

const withContract = (slim: string): Plugin => ({
  name: 'orrery-slim-contract',
  apply: 'build',
  load: (id) => (id.endsWith('/api/src/contract.ts') ? slim : null),
});

/** Without the calls of the signing page. */
export const slimContract = (): Plugin => withContract(slimOf(isSignerPath));

/** For the worker of the feed: nobody operates the exchange there. */
export const slimContractOfWorker = (): Plugin => withContract(slimOf((path) => isSignerPath(path) || isOperatorPath(path)));

/**
 * Modules of ours, and those that make schemas, only say what they export; what nobody imports is left out, and so is the making of a schema
 * that nobody uses. Otherwise every page would load what one page checks its form with.
 */
export const treeshake = {
  moduleSideEffects: (id: string): boolean => !/\/(api|core\/[a-z]+|clients\/sdk)\/src\/|\/node_modules\/typebox\//.test(id),
  manualPureFunctions: ['Type', 'routes', 'strict', 'listed', 'nullable'],
};

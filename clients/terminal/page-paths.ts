/** Writes `paths.json` beside the page: the addresses of the table of routes. What serves the page answers to these, and to nothing else, with it. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const routes = new URL('src/app/router.tsx', import.meta.url);

export const pathsIn = (router: string): readonly string[] => [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);

export const pagePaths = (): Plugin => ({
  name: 'orrery-page-paths',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'paths.json', source: JSON.stringify(pathsIn(readFileSync(routes, 'utf8'))) });
  },
});

/**
 * The service worker is a build of its own beside the terminal's, at an address without a hash, which browsers look at for a new one. It has the list of the files
 * that it keeps in it, so that another build is another worker: what every page begins with, the page of the app, and the pages at which an installed terminal opens.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rollup } from 'vite';
import { treeshake } from './slim.ts';
import { pathsIn } from './page-paths.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Pages that open without the exchange before they were visited with it. */
const FIRST_PAGES = /\/src\/(areas\/app\/app-page|trade\/spot\/trade-page|trade\/futures\/futures-page)\.tsx$/;
/** Fonts of other scripts come when a text has them. */
const FONT = /-latin-(wght|400)-normal-[^/]*\.woff2$/;
/** Operators work with the exchange or not at all. */
const isPageOfPeople = (path: string): boolean => !path.startsWith('/console');

/** Paths of what the first page and `FIRST_PAGES` load before anything is touched. */
export function shellFiles(bundle: Rollup.OutputBundle): { readonly entry: string; readonly files: readonly string[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith('index.html') === true);
  if (entry === undefined) throw new Error('the build has no first page');
  const names = new Set<string>();
  const add = (name: string): void => {
    const file = bundle[name];
    if (names.has(name) || file?.type !== 'chunk') return;
    names.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) names.add(style);
    for (const needed of file.imports) add(needed);
  };
  for (const { fileName } of [entry, ...chunks.filter(({ facadeModuleId }) => FIRST_PAGES.test(facadeModuleId ?? ''))]) add(fileName);
  const fonts = Object.keys(bundle).filter((name) => FONT.test(name));
  return { entry: `/${entry.fileName}`, files: [...names, ...fonts].map((name) => `/${name}`).toSorted() };
}

export function appWorker(): Plugin {
  let shell: ReturnType<typeof shellFiles> | undefined;
  return {
    name: 'orrery-app-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        shell = shellFiles(bundle);
      },
    },
    async closeBundle() {
      if (shell === undefined) return;
      const pictures = readdirSync(here('public')).map((name) => `/${name}`);
      const pages = pathsIn(readFileSync(here('src/app/router.tsx'), 'utf8')).filter(isPageOfPeople);
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { __ORRERY_SHELL__: JSON.stringify({ entry: shell.entry, files: [...shell.files, ...pictures], pages }) },
        build: {
          target: 'es2024',
          outDir: here('dist'),
          emptyOutDir: false,
          reportCompressedSize: false,
          rolldownOptions: {
            treeshake,
            input: here('src/app-worker/main.ts'),
            output: { format: 'iife', entryFileNames: 'app-worker.js' },
          },
        },
      });
    },
  };
}

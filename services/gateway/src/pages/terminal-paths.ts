/** The addresses of the terminal's pages, as its build writes them into `paths.json`: the page is served at these, and nothing else is one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a path is that of a page. */
export type IsPage = (path: string) => boolean;

/**
 * @param directory The folder of the built terminal.
 * @throws Error when its build has written no paths.
 */
export async function readPaths(directory: string): Promise<IsPage> {
  const paths: unknown = JSON.parse(await readFile(join(directory, 'paths.json'), 'utf8'));
  if (!Array.isArray(paths)) throw new Error(`paths.json of ${directory} is no list`);
  // `$` begins the name of one step that may be anything.
  const pages = paths.map((path) => new RegExp(`^${String(path).replaceAll(/\$\w+/g, '[^/]+')}$`, 'i'));
  return (path) => {
    // A slash at the end changes nothing.
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    return pages.some((page) => page.test(plain));
  };
}

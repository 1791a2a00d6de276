import { expect, test } from 'vitest';
import { Shell, type ShellBuild } from './shell.ts';

const FIRST: ShellBuild = {
  entry: '/assets/index-aaaaaaa.js',
  files: ['/assets/index-aaaaaaa.js', '/icon.png'],
  pages: ['/', '/app', '/trade/spot/$pair'],
};
const SECOND: ShellBuild = { ...FIRST, entry: '/assets/index-bbbbbbb.js', files: ['/assets/index-bbbbbbb.js', '/icon.png'] };
const HOST = 'https://exchange.test';

const pathOf = (request: Request | string): string => (typeof request === 'string' ? request : new URL(request.url).pathname);
const pageOf = (build: ShellBuild): string => `<script src="${build.entry}"></script>`;

/** The caches of a browser, as far as the worker uses them. */
class Caches {
  readonly kept = new Map<string, Map<string, Response>>();

  async open(name: string): Promise<Cache> {
    const files = this.kept.get(name) ?? new Map<string, Response>();
    this.kept.set(name, files);
    return {
      match: async (path: string) => files.get(path)?.clone(),
      put: async (path: string, answer: Response) => void files.set(path, answer),
    } as unknown as Cache;
  }

  async keys(): Promise<string[]> {
    return [...this.kept.keys()];
  }

  async delete(name: string): Promise<boolean> {
    return this.kept.delete(name);
  }

  async match(path: string): Promise<Response | undefined> {
    return [...this.kept.values()].map((files) => files.get(path)?.clone()).find((answer) => answer !== undefined);
  }
}

interface World {
  caches: Caches;
  /** What the exchange answers; `undefined`: nobody does. */
  answer: (path: string) => Response | undefined | Promise<never>;
  asked: string[];
  waited: number[];
}

const worldOf = (): World => ({
  caches: new Caches(),
  answer: (path) => new Response(path === '/' ? pageOf(FIRST) : path),
  asked: [],
  waited: [],
});

const shellIn = (world: World, build: ShellBuild): Shell =>
  new Shell({
    build,
    caches: world.caches,
    fetch: async (request) => {
      world.asked.push(pathOf(request));
      const answer = await world.answer(pathOf(request));
      if (answer === undefined) throw new TypeError('Failed to fetch');
      return answer;
    },
    sleep: (millis) => {
      world.waited.push(millis);
      return new Promise((resolve) => setTimeout(resolve));
    },
  });

const open = async (shell: Shell, path: string): Promise<string> => (await shell.page(new Request(HOST + path))).text();

test('a page comes from the exchange while it answers, and from the device while it does not or is out of service', async () => {
  const world = worldOf();
  const shell = shellIn(world, FIRST);
  await shell.install();
  world.answer = () => new Response('newer');
  expect(await open(shell, '/app')).toBe('newer');
  for (const answer of [undefined, new Response('proxy', { status: 502 })]) {
    world.answer = () => answer;
    expect(await open(shell, '/app')).toBe(pageOf(FIRST));
  }
  world.answer = () => new Response('nothing here', { status: 404 });
  expect(await open(shell, '/app')).toBe('nothing here');
  // Nobody waits for an exchange that says nothing.
  world.answer = () => new Promise<never>(() => undefined);
  expect(await open(shell, '/app')).toBe(pageOf(FIRST));
});

test('without anything kept the failure is the one of the network', async () => {
  const world = worldOf();
  world.answer = () => undefined;
  await expect(open(shellIn(world, FIRST), '/app')).rejects.toThrow('Failed to fetch');
});

test('a build of which a file is missing, or which the exchange does not have any more, keeps no page', async () => {
  const world = worldOf();
  await expect(shellIn(world, SECOND).install()).rejects.toThrow('another build');
  world.answer = (path) => (path === '/' ? new Response(pageOf(FIRST)) : new Response('', { status: 404 }));
  await expect(shellIn(world, FIRST).install()).rejects.toThrow('404');
  for (const files of world.caches.kept.values()) expect([...files.keys()]).not.toContain('/');
});

test('the next build takes what it has in common, and the earlier one goes when it takes over', async () => {
  const world = worldOf();
  await shellIn(world, FIRST).install();
  const next = shellIn(world, { ...SECOND, files: [...SECOND.files, '/assets/index-aaaaaaa.js'] });
  world.answer = (path) => new Response(path === '/' ? pageOf(SECOND) : path);
  world.asked = [];
  await next.install();
  expect(world.asked.toSorted()).toEqual(['/', '/assets/index-bbbbbbb.js', '/icon.png']);
  expect(world.caches.kept.size).toBe(2);
  await world.caches.open('of somebody else');
  await next.activate();
  expect([...world.caches.kept.keys()]).toEqual([`orrery-shell ${SECOND.entry}`, 'of somebody else']);
});

test('a file of a build is asked for once, waits while nobody answers, and is not kept when it is not there', async () => {
  const world = worldOf();
  const shell = shellIn(world, FIRST);
  const file = async (path: string): Promise<number> => (await shell.file(new Request(HOST + path))).status;
  let failures = 3;
  world.answer = (path) => (failures-- > 0 ? undefined : new Response(path));
  expect(await file('/assets/chart-1234567.js')).toBe(200);
  expect(world.waited).toEqual([500, 1_000, 2_000]);
  expect(await file('/assets/chart-1234567.js')).toBe(200);
  expect(world.asked).toHaveLength(4);
  world.answer = () => new Response('', { status: 404 });
  expect(await file('/assets/gone-1234567.js')).toBe(404);
  expect(await file('/assets/gone-1234567.js')).toBe(404);
  expect(world.asked).toHaveLength(6);
});

test('a picture that is kept is given with its content, and the exchange is not asked for it', async () => {
  const world = worldOf();
  const shell = shellIn(world, FIRST);
  expect(await shell.picture('/icon.png')).toBeUndefined();
  await shell.install();
  world.asked = [];
  world.answer = () => undefined;
  expect(await shell.picture('/icon.png')).toBe(`data:image/png;base64,${btoa('/icon.png')}`);
  expect(world.asked).toEqual([]);
});

test('what is no file of a build and no page of the terminal is nothing of the worker', () => {
  const shell = shellIn(worldOf(), FIRST);
  expect(['/assets/a-1234567.js', '/assets/a.js', '/pro/p/config', '/app-worker.js'].map((path) => shell.isFile(path))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['/', '/app', '/app/', '/trade/spot/BTC_USDC', '/docs', '/console', '/trade'].map((path) => shell.isPage(path))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['/icon.png', '/other.png', '/assets/index-aaaaaaa.js'].map((path) => shell.isKeptChanging(path))).toEqual([true, false, false]);
});

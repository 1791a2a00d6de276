import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SharedPrograms } from './shared-programs.ts';

interface Pretended {
  readonly url: string;
  isWell: boolean;
  isStopped: boolean;
}

let programs: SharedPrograms;
let port: number;
let started: Pretended[];
let said: string[];
let isStarting: () => Promise<void>;

beforeEach(async () => {
  [started, said, isStarting] = [[], [], () => Promise.resolve()];
  programs = new SharedPrograms({
    async start() {
      await isStarting();
      const one: Pretended = { url: `program ${started.length + 1}`, isWell: true, isStopped: false };
      started.push(one);
      return { url: one.url, isWell: () => Promise.resolve(one.isWell), stop: () => Promise.resolve((one.isStopped = true)) };
    },
    say: (sentence) => said.push(sentence),
    idleMs: 200,
  });
  port = await programs.open();
});
afterEach(() => programs.close());

/** @returns its connection, and what it was answered. */
async function borrow(file: string): Promise<{ readonly loan: Socket; readonly answer: unknown }> {
  const loan = connect(port, '127.0.0.1');
  loan.write(`${file}\n`);
  const [text] = (await once(loan, 'data')) as [Buffer];
  return { loan, answer: JSON.parse(text.toString()) };
}

async function giveBack(loan: Socket): Promise<void> {
  loan.end();
  await once(loan, 'close');
}

test('files that follow one another share a program; files at the same time have two', async () => {
  const first = await borrow('a.e2e.ts');
  const second = await borrow('b.e2e.ts');
  expect([first.answer, second.answer]).toEqual([{ url: 'program 1' }, { url: 'program 2' }]);
  await giveBack(first.loan);
  expect((await borrow('c.e2e.ts')).answer).toEqual({ url: 'program 1' });
  expect(said).toEqual([]);
});

test('a program that died or does not answer is replaced, and the file that it did not survive is named', async () => {
  const { loan } = await borrow('a.e2e.ts');
  for (const one of started) one.isWell = false;
  await giveBack(loan);
  expect((await borrow('b.e2e.ts')).answer).toEqual({ url: 'program 2' });
  expect(said).toEqual(['the shared program did not survive a.e2e.ts: the next file gets a fresh one']);
  expect(started.map(({ isStopped }) => isStopped)).toEqual([true, false]);
});

test('a program that nobody asks for is stopped, one that is lent is not', async () => {
  const lent = await borrow('a.e2e.ts');
  const { loan } = await borrow('b.e2e.ts');
  await giveBack(loan);
  await expect.poll(() => started.map(({ isStopped }) => isStopped)).toEqual([false, true]);
  await giveBack(lent.loan);
  expect((await borrow('c.e2e.ts')).answer).toEqual({ url: 'program 1' });
});

test('a program that was asked for by a file that has ended meanwhile is for the next file', async () => {
  let start = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isStarting = () => (resolve(), new Promise<void>((begin) => (start = begin)));
  });
  const gone = connect(port, '127.0.0.1');
  gone.write('a.e2e.ts\n');
  await asked;
  await giveBack(gone);
  start();
  await expect.poll(() => started.length).toBe(1);
  isStarting = () => Promise.resolve();
  expect((await borrow('b.e2e.ts')).answer).toEqual({ url: 'program 1' });
});

test('a start that fails is the answer, and the next file tries again', async () => {
  isStarting = () => Promise.reject(new Error('no memory'));
  expect((await borrow('a.e2e.ts')).answer).toEqual({ error: 'Error: no memory' });
  isStarting = () => Promise.resolve();
  expect((await borrow('b.e2e.ts')).answer).toEqual({ url: 'program 1' });
});

test('at the end all are stopped: those that are lent, those that are free, and those that still start', async () => {
  const { loan } = await borrow('a.e2e.ts');
  await borrow('b.e2e.ts');
  await giveBack(loan);
  expect((await borrow('c.e2e.ts')).answer).toEqual({ url: 'program 1' });
  let start = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isStarting = () => (resolve(), new Promise<void>((begin) => (start = begin)));
  });
  connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .write('d.e2e.ts\n');
  await asked;
  const closed = programs.close();
  start();
  await closed;
  expect(started.map(({ isStopped }) => isStopped)).toEqual([true, true, true]);
});

/**
 * For files of the usual settings, or of the quiet ones: a program that other files have used before and will use after. A file that needs another setting, stops the
 * program, reads its folder, or counts on what others have not done, has one of its own by `withProgram`.
 */
import { createClient } from '@orrery/sdk';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, type ProvidedContext } from 'vitest';
import type { Answer } from './shared-programs.ts';

/** Lent while the tests of the file run. */
export let program: { readonly url: string };
let loan: Socket | undefined;

export const withSharedProgram = (): void => share('usual');

/** Nobody quotes there, and what a day or a week protects elsewhere lasts seconds: see `QUIET` in `shared-setup.ts`. */
export const withSharedQuietProgram = (): void => share('quiet');

function share(kind: keyof ProvidedContext['sharedPrograms']): void {
  const file = basename(expect.getState().testPath ?? 'a file');
  beforeAll(async () => {
    loan = connect(inject('sharedPrograms')[kind], '127.0.0.1');
    program = await borrow(loan, file);
  });
  afterAll(async () => {
    if (program !== undefined) await expect(answers(program.url), `the program answers after ${file}`).resolves.toBe(true);
    // Read on, or the end of the connection is not seen.
    if (loan?.resume().end().closed === false) await once(loan, 'close');
  });
}

async function borrow(socket: Socket, file: string): Promise<{ readonly url: string }> {
  socket.write(`${file}\n`);
  for await (const line of createInterface({ input: socket })) {
    const answer = JSON.parse(line) as Answer;
    if ('error' in answer) throw new Error(`there is no program to share: ${answer.error}`);
    return answer;
  }
  throw new Error('the loan of a shared program has ended before it began');
}

const answers = (url: string): Promise<boolean> =>
  createClient({ baseUrl: url })
    .status()
    .then(
      () => true,
      () => false,
    );

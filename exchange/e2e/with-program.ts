/** For files that need a program of their own: with other settings, stopped or killed between, or with nobody else on it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startProgram, type Program, type ProgramOptions } from './program.ts';

type Settings = NonNullable<ProgramOptions['env']>;

export interface OwnProgramOptions extends Omit<ProgramOptions, 'dataDirectory' | 'env'> {
  /** Beside those of every test; computed at the start where they name what is opened first, by a `beforeAll` before. */
  readonly env?: Settings | (() => Settings);
}

/** Runs while the tests of the file do. */
export let program: Program;
/** Of the program, and gone with it. */
export let dataDirectory: string;
let options: OwnProgramOptions;

export function withProgram(given: OwnProgramOptions): void {
  options = given;
  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-e2e-'));
    await start({});
  });
  afterAll(async () => {
    await program?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });
}

async function start(more: Settings): Promise<void> {
  const { env = {}, ...others } = options;
  const settings = typeof env === 'function' ? env() : env;
  program = await startProgram({ ...others, dataDirectory, env: { ...settings, ...more } });
}

/** On its folder and at its address, after it was stopped or killed; with other settings where these are given. */
export const startAgain = (more: Settings = {}): Promise<void> => start({ ORRERY_PORT: new URL(program.url).port, ...more });

/** Read by the runner of the browser's tests: lends shared programs to files, starts the first when it is asked for, and stops all in the end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@orrery/sdk';
import type { TestProject } from 'vitest/node';
import { BEHIND_A_PROXY, type ProgramOptions, startProgram } from './program.ts';
import { SharedPrograms, type SharedProgram } from './shared-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The ports at which files ask for a program of a kind. */
    sharedPrograms: { readonly usual: number; readonly quiet: number };
  }
}

type Settings = NonNullable<ProgramOptions['env']>;

/** A busy machine takes its time; one that takes longer is not worth waiting for. */
const ANSWER_MS = 20_000;
/** The runner begins the next file of shared programs within seconds, as long as there is one. */
const IDLE_MS = 20_000;

/**
 * Nobody quotes. Waits are long enough to be seen, and short enough to be waited for: of a new address (a test sees it count down), of withdrawals
 * after a change of the account's security, and of an account that is deleted.
 */
const QUIET = {
  ORRERY_MARKET_MAKER: 'off',
  ORRERY_ADDRESS_WAIT_SECONDS: '8',
  ORRERY_WITHDRAWAL_HOLD_SECONDS: '25',
  ORRERY_ERASURE_WAIT_SECONDS: '20',
  ORRERY_WALLETCONNECT_PROJECT_ID: 'a-project',
} as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [usual, quiet] = [programsWith({}), programsWith(QUIET)];
  project.provide('sharedPrograms', { usual: await usual.open(), quiet: await quiet.open() });
  return async () => void (await Promise.all([usual.close(), quiet.close()]));
}

const programsWith = (env: Settings): SharedPrograms =>
  new SharedPrograms({ start: () => start(env), say: (sentence) => void process.stderr.write(`${sentence}\n`), idleMs: IDLE_MS });

async function start(env: Settings): Promise<SharedProgram> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-shared-'));
  const program = await startProgram({ dataDirectory, env: { ...BEHIND_A_PROXY, ...env } });
  return {
    url: program.url,
    // One that died answers nobody.
    isWell: () => isReady(program.url),
    async stop() {
      await program.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = createClient({ baseUrl: url }).status();
  const late = new Promise<false>((resolve) => void setTimeout(resolve, ANSWER_MS, false).unref());
  return Promise.race([
    answer.then(
      ({ ready }) => ready,
      () => false,
    ),
    late,
  ]);
}

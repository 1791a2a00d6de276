/** Read by the runner of the browser's tests: lends shared programs to files, starts the first when it is asked for, and stops all in the end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@orrery/sdk';
import type { TestProject } from 'vitest/node';
import { BEHIND_A_PROXY, startProgram } from './program.ts';
import { SharedPrograms, type SharedProgram } from './shared-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port at which files ask for a program. */
    sharedPrograms: number;
  }
}

/** A busy machine takes its time; one that takes longer is not worth waiting for. */
const ANSWER_MS = 20_000;
/** The runner begins the next file of shared programs within seconds, as long as there is one. */
const IDLE_MS = 20_000;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = new SharedPrograms({ start, say: (sentence) => void process.stderr.write(`${sentence}\n`), idleMs: IDLE_MS });
  project.provide('sharedPrograms', await programs.open());
  return () => programs.close();
}

async function start(): Promise<SharedProgram> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-shared-'));
  const program = await startProgram({ dataDirectory, env: BEHIND_A_PROXY });
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

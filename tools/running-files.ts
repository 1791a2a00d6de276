/**
 * A reporter of the test runner: says which test files have been running for long, and which of their tests has not
 * ended. A file that loops without end cannot be stopped by the time limit of its tests, and nothing else would name it.
 */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { repository } from './step.ts';

/** Milliseconds between two looks. */
const EVERY = 60_000;

/** Milliseconds from which a file is reported. */
const LONG = 180_000;

const keyOf = (file: TestModule): string => `${file.project.name} ${relative(repository, file.moduleId)}`;

export default class RunningFiles implements Reporter {
  /** By project and path: the module of a file is another one once its tests were collected. */
  readonly #running = new Map<string, { readonly since: number; readonly tests: Set<string> }>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => {
      for (const [file, { since, tests }] of this.#running) {
        const ran = performance.now() - since;
        if (ran < LONG) continue;
        const open =
          tests.size === 0 ? 'no test of it has reported since (a loop that never yields reports nothing)' : [...tests].join('; ');
        process.stderr.write(`orrery: ${file} has been running for ${Math.round(ran / 1000)} s: ${open}\n`);
      }
    }, EVERY);
    this.#timer.unref();
  }

  onTestModuleQueued(file: TestModule): void {
    this.#running.set(keyOf(file), { since: performance.now(), tests: new Set() });
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.get(keyOf(test.module))?.tests.add(test.fullName);
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.get(keyOf(test.module))?.tests.delete(test.fullName);
  }

  onTestModuleEnd(file: TestModule): void {
    this.#running.delete(keyOf(file));
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }
}

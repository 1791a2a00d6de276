/**
 * A reporter of the test runner: names the seed of each random test that passed. What else a passing test printed stays unsaid; what a failing one
 * printed is shown whole by the reporter of the runner.
 */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { repository } from './step.ts';

const SEED = /\bseeds?\b|_SEED=/i;

/** Of one test: some print a line for every round. */
const MOST_LINES = 3;

/** What a test printed about its seeds, a line each. */
export const seedsIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => SEED.test(line));

type EndedFile = Pick<TestModule, 'id' | 'moduleId'> & {
  readonly children: { readonly allTests: (state: 'passed') => Iterable<Pick<TestCase, 'id' | 'fullName'>> };
};

export default class PrintedSeeds implements Reporter {
  /** By the id of the test, or of the file when no test was running. */
  readonly #seeds = new Map<string, string[]>();
  readonly #write: (line: string) => void;

  constructor({ write = (line: string): void => void process.stdout.write(line) } = {}) {
    this.#write = write;
  }

  onUserConsoleLog({ content, taskId = '' }: { readonly content: string; readonly taskId?: string }): void {
    const seeds = seedsIn(content);
    if (seeds.length === 0) return;
    this.#seeds.set(taskId, [...(this.#seeds.get(taskId) ?? []), ...seeds]);
  }

  /** Only now has everything come that was printed. */
  onTestModuleEnd(file: EndedFile): void {
    const path = relative(repository, file.moduleId);
    this.#say(path, file.id);
    for (const test of file.children.allTests('passed')) this.#say(`${path} > ${test.fullName}`, test.id);
  }

  #say(name: string, id: string): void {
    const seeds = this.#seeds.get(id) ?? [];
    for (const seed of seeds.slice(0, MOST_LINES)) this.#write(`orrery: ${name}: ${seed}\n`);
    if (seeds.length > MOST_LINES) this.#write(`orrery: ${name}: and ${seeds.length - MOST_LINES} lines more\n`);
    this.#seeds.delete(id);
  }
}

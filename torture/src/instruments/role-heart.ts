/** A heart as the program is started with `ORRERY_ROLE=heart`, once and again, where its network may be cut. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type ProgramOptions, spawnProgram } from '../../../exchange/e2e/program.ts';

/** In the words of the program. */
const FOLLOWS = 'following the journal';
const LEADS = /this heart leads in epoch (\d+)/;

export class RoleHeart {
  readonly name: string;
  /** Of the epoch in which it leads; undefined while it follows or is down. */
  epoch: number | undefined;
  isFollowing = false;
  readonly complaints: string[] = [];
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;

  constructor(name: string, options: ProgramOptions) {
    this.name = name;
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @param clockOffMs how far its wall clock is from that of the others, in milliseconds */
  start(clockOffMs: number): void {
    const env = { ...this.#options.env, ORRERY_TEST_LATER_MS: String(clockOffMs) };
    const child = spawnProgram({ ...this.#options, env });
    this.#child = child;
    this.epoch = undefined;
    this.isFollowing = false;
    child.stdout.resume();
    createInterface({ input: child.stderr }).on('line', (line) => this.#hear(child, line));
    child.on('exit', () => {
      if (this.#child !== child) return;
      this.epoch = undefined;
      this.isFollowing = false;
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isUp) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  #hear(child: ChildProcess, line: string): void {
    this.complaints.push(line);
    if (child !== this.#child) return;
    if (line.includes(FOLLOWS)) this.isFollowing = true;
    const epoch = LEADS.exec(line)?.[1];
    if (epoch === undefined) return;
    this.isFollowing = false;
    this.epoch = Number(epoch);
  }
}

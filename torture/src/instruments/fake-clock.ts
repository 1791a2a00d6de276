/** The wall clock of a program and of all that it starts, set while it runs; the clock that only grows is left alone. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARY = 'faketime/libfaketime.so.1';
const ROOT = '/usr/lib';

export class FakeClock {
  /** For the program that is started. */
  readonly env: Readonly<Record<string, string>>;
  readonly #directory: string;
  readonly #file: string;

  private constructor(library: string) {
    this.#directory = mkdtempSync(join(tmpdir(), 'orrery-torture-clock-'));
    // The database runs as another user.
    chmodSync(this.#directory, 0o755);
    this.#file = join(this.#directory, 'clock');
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
      FAKETIME_NO_CACHE: '1',
    };
    this.set('+0');
  }

  /** Undefined when libfaketime is not here and can not be installed. */
  static open(): FakeClock | undefined {
    const library = findLibrary() ?? installLibrary();
    return library === undefined ? undefined : new FakeClock(library);
  }

  /** In the words of libfaketime: `+1h`, `-1d`, `+0 x10`, or a date at which it stands still. */
  set(words: string): void {
    writeFileSync(this.#file, `${words}\n`, { mode: 0o644 });
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function findLibrary(): string | undefined {
  const folders = existsSync(ROOT) ? readdirSync(ROOT).map((name) => join(ROOT, name)) : [];
  return folders.map((folder) => join(folder, LIBRARY)).find((path) => existsSync(path));
}

function installLibrary(): string | undefined {
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'libfaketime'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return findLibrary();
}

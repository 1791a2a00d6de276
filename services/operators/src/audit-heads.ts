/**
 * The heads of the audit log, in a file of the data folder: the number and the hash of each row once it is written. A database does not reach
 * this file, so somebody who can write to the database only cannot rebuild the log from an earlier row on without being found.
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface AuditHead {
  /** Of the row. */
  readonly seq: number;
  readonly hash: string;
}

const LINE = /^([1-9][0-9]{0,15}) (0x[0-9a-f]{64})$/;

export class AuditHeads {
  readonly #file: string;
  readonly #all: AuditHead[];

  private constructor(file: string, all: AuditHead[]) {
    this.#file = file;
    this.#all = all;
  }

  /** Makes the file (mode 0600) when there is none. @throws when it holds something else than heads. */
  static async open(file: string): Promise<AuditHeads> {
    await mkdir(dirname(file), { recursive: true });
    const text = await readFile(file, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await (await open(file, 'wx', 0o600)).close();
      return '';
    });
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // A line that the program died over: its head is appended again.
    if (whole !== text) await truncate(file, Buffer.byteLength(whole));
    const lines = whole.split('\n').slice(0, -1);
    return new AuditHeads(
      file,
      lines.map((line, index) => headOf(line) ?? fail(`line ${index + 1} of ${file} is no head of the audit log`)),
    );
  }

  /** In the order in which they were appended. */
  all(): readonly AuditHead[] {
    return this.#all;
  }

  last(): AuditHead | undefined {
    return this.#all.at(-1);
  }

  /** They are on the disk when this resolves. */
  async append(heads: readonly AuditHead[]): Promise<void> {
    const file = await open(this.#file, 'a', 0o600);
    try {
      await file.writeFile(heads.map(({ seq, hash }) => `${seq} ${hash}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    this.#all.push(...heads);
  }
}

function headOf(line: string): AuditHead | undefined {
  const [, seq, hash] = LINE.exec(line) ?? [];
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
}

function fail(sentence: string): never {
  throw new Error(sentence);
}

async function truncate(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

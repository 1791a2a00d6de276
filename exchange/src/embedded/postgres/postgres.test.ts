import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { StartError } from '../../start-error.ts';

const HOLDER = fileURLToPath(new URL('./testing/hold-postgres.ts', import.meta.url));

let directory = '';
const programs: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-postgres-test-'));
});

afterEach(async () => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  // Ends whatever a killed program of the test left running.
  await startPostgres({ directory })
    .then((server) => server.stop())
    .catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
});

async function query(server: Pick<RunningPostgres, 'connection'>, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

interface Held {
  readonly program: ChildProcess;
  readonly connection: RunningPostgres['connection'];
  readonly pid: number;
}

async function hold(folder: string): Promise<Held> {
  const program = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  programs.push(program);
  const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [string];
  return { program, ...(JSON.parse(line) as Omit<Held, 'program'>) };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A killed orphan may stay in the table as a zombie when nobody collects it: it no longer works. */
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the embedded PostgreSQL', () => {
  test('keeps its rows over a clean stop and start, and takes no TCP', async () => {
    const first = await startPostgres({ directory });
    await query(first, 'create table kept (n int)');
    await query(first, 'insert into kept values (7)');
    await first.stop();
    const second = await startPostgres({ directory });
    expect(await query(second, 'select n from kept')).toEqual([{ n: 7 }]);
    expect(await query(second, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await query(second, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await second.stop();
    expect(alive(second.pid())).toBe(false);
  });

  test('works in a folder that is closed to others, and inherits no key of ours', async () => {
    await chmod(directory, 0o700);
    process.env['ORRERY_OPERATOR_KEY'] = 'a key that no child may see';
    const server = await startPostgres({ directory }).finally(() => delete process.env['ORRERY_OPERATOR_KEY']);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    const names = readFileSync(`/proc/${server.pid()}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => name?.startsWith('ORRERY_'))).toEqual([]);
    expect(names).toContain('PATH');
    await server.stop();
  });

  test('keeps every acknowledged row when the program is killed, and ends the server it left behind', async () => {
    const acknowledged: number[] = [];
    for (let cycle = 0; cycle < 6; cycle++) {
      const held = await hold(directory);
      if (cycle === 0) await query(held, 'create table acknowledged (n int)');
      const client = new Client(held.connection);
      client.on('error', () => undefined);
      await client.connect();
      for (let n = cycle * 100; n < cycle * 100 + 20; n++) {
        await client.query('insert into acknowledged values ($1)', [n]);
        acknowledged.push(n);
      }
      // Both die at once every second time: the program alone leaves an orphan, both leave a crash to recover from.
      held.program.kill('SIGKILL');
      if (cycle % 2 === 1) process.kill(held.pid, 'SIGKILL');
      await once(held.program, 'exit');
      await client.end().catch(() => undefined);
      if (cycle % 2 === 0) expect(alive(held.pid)).toBe(true);
      const next = await startPostgres({ directory });
      expect(alive(held.pid)).toBe(false);
      expect((await query(next, 'select n from acknowledged order by n')).map((row) => row['n'])).toEqual(acknowledged);
      await next.stop();
    }
  }, 60_000);

  test('is started again when it dies alone', async () => {
    const server = await startPostgres({ directory });
    const before = server.pid();
    process.kill(before, 'SIGKILL');
    await until(async () => server.pid() !== before && (await query(server, 'select 1').catch(() => [])).length === 1);
    await server.stop();
  }, 30_000);

  test('refuses a folder that another program uses, and leaves that one alone', async () => {
    const first = await startPostgres({ directory });
    await expect(startPostgres({ directory })).rejects.toThrow(`The database in ${directory} is in use by another running program.`);
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
  });

  test('stops when its program is asked to end', async () => {
    const held = await hold(directory);
    held.program.kill('SIGTERM');
    await once(held.program, 'exit');
    expect(held.program.exitCode).toBe(0);
    expect(alive(held.pid)).toBe(false);
  });

  test.each(['SIGHUP', 'SIGUSR2'] as const)(
    'is ended with a program that stops by a fatal error or an uncaught exception (%s)',
    async (signal) => {
      const held = await hold(directory);
      held.program.kill(signal);
      await once(held.program, 'exit');
      expect(held.program.exitCode).not.toBe(0);
      await until(() => Promise.resolve(!alive(held.pid)));
    },
  );

  test('works in a folder whose path is longer than a socket name may be', async () => {
    const deep = join(directory, 'x'.repeat(120), 'y'.repeat(120));
    const server = await startPostgres({ directory: deep });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test.runIf(process.getuid?.() === 0)('works as root below a folder that is closed to everyone else, under another user', async () => {
    const closed = join(directory, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const server = await startPostgres({ directory: join(closed, 'database') });
    const status = await readFile(`/proc/${server.pid()}/status`, 'utf8');
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).not.toBe('0');
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('begins again after a set-up that was interrupted', async () => {
    await mkdir(join(directory, 'cluster.unfinished'));
    await writeFile(join(directory, 'cluster.unfinished', 'PG_VERSION'), '18\n');
    const server = await startPostgres({ directory });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('refuses a cluster of another version in one sentence', async () => {
    await mkdir(join(directory, 'cluster'));
    await writeFile(join(directory, 'cluster', 'PG_VERSION'), '14\n');
    const refusal = await startPostgres({ directory }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(String(refusal)).toContain(`The database in ${join(directory, 'cluster')} was made by PostgreSQL 14`);
  });

  test('refuses a folder that can not be made in one sentence', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(startPostgres({ directory: join(directory, 'file', 'database') })).rejects.toThrow(/can not be made: ENOTDIR\.$/);
  });
});

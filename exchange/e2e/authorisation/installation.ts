/** For the matrix of calls and callers: what serves them, as one process, or as two on one heart and one database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Closing } from '../../src/closing.ts';
import { readConfig } from '../../src/config.ts';
import { startExchange, type RunningProgram } from '../../src/start.ts';
import { NatsServer } from '../../src/testing/nats-server.ts';
import { BEHIND_A_PROXY, startProgram } from '../program.ts';
import { settingsOfRole, settingsOnChain, sharedServer } from '../shared-journal.ts';
import { TestChain } from '../test-chain.ts';

const MINE_EVERY_MS = 50;

/** Of the installation, for the first operator. */
export const FIRST_CODE = 'first-code-of-the-test';

/** Of the site that all processes serve: a nonce is good for the page that asked for it. */
export const SITE = 'http://localhost:8089';

const SETTINGS = {
  ...BEHIND_A_PROXY,
  ORRERY_PUBLIC_ORIGINS: `${BEHIND_A_PROXY.ORRERY_PUBLIC_ORIGINS},${SITE}`,
  ORRERY_MARKET_MAKER: 'off',
  ORRERY_CONSOLE_CODE: FIRST_CODE,
  ORRERY_TIMELOCK_SECONDS: '0',
  ORRERY_LOG: 'error',
} as const;

export interface Installation {
  readonly processes: readonly [RunningProgram, ...RunningProgram[]];
  readonly close: () => Promise<void>;
}

/** In the process of the test. */
function start(settings: Readonly<Record<string, string>>, closing: Closing): Promise<RunningProgram> {
  const config = readConfig({ ORRERY_PORT: '0', ...settings });
  const onFatal = (error: Error): void => {
    throw error;
  };
  return startExchange({ config, say: () => undefined, closing, onFatal });
}

const newClosing = (): Closing => new Closing((part, error) => void process.stderr.write(`${part}: ${String(error)}\n`));

export async function oneProcess(): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-authorisation-'));
  const closing = newClosing();
  const program = await start({ ...SETTINGS, ORRERY_DATA: directory }, closing);
  return {
    processes: [program],
    async close() {
      await closing.run();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Two gateways in the process of the test, and their heart in one of its own. */
export async function twoGateways(): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-authorisation-'));
  const closing = newClosing();
  closing.add({ name: 'the folder', stop: () => rm(directory, { recursive: true, force: true }) });
  const [nats, server, chain] = await Promise.all([NatsServer.start(), sharedServer(), TestChain.open({ mineEveryMs: MINE_EVERY_MS })]);
  closing.add({ name: 'the chain', stop: () => chain.close() });
  closing.add({ name: 'the database', stop: () => server.stop() });
  closing.add({ name: 'NATS', stop: () => nats.kill() });
  const shared = { ...server.journal, ...server.database, ORRERY_MASTER_KEY_FILE: join(directory, 'master.key') };
  const heart = await startProgram({
    dataDirectory: join(directory, 'heart'),
    env: { ...settingsOfRole('heart', nats), ...SETTINGS, ...shared },
  });
  closing.add({ name: 'the heart', stop: async () => void (await heart.stop()) });
  const gateway = (name: string): Promise<RunningProgram> =>
    start(
      {
        ...settingsOfRole('gateway,worker,projector', nats),
        ...SETTINGS,
        ...shared,
        ...settingsOnChain(chain),
        ORRERY_DATA: join(directory, name),
      },
      closing,
    );
  return { processes: [await gateway('one'), await gateway('two')], close: () => closing.run() };
}

/** A PostgreSQL that several programs of a test share: one database for their journal, and one for everything else. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../src/embedded/postgres/postgres.ts';
import type { NatsServer } from '../src/testing/nats-server.ts';
import { BEHIND_A_PROXY } from './program.ts';
import type { TestChain } from './test-chain.ts';

export interface SharedServer {
  /** Of the journal alone: nothing but the journal is shared. */
  readonly journal: Readonly<Record<string, string>>;
  /** Of everything in SQL. */
  readonly database: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Of one of several programs that reach each other over NATS. */
export const settingsOfRole = (role: string, { port }: NatsServer): Readonly<Record<string, string>> => ({
  ...BEHIND_A_PROXY,
  ORRERY_ROLE: role,
  ORRERY_EVENTS: `nats://127.0.0.1:${port}`,
  ORRERY_MARKET_MAKER: 'off',
  ORRERY_FUND_MANAGER: 'off',
});

/** On one chain, with what a process has by default on its own. */
export const settingsOnChain = ({ settings }: TestChain): Readonly<Record<string, string>> => ({
  ...settings,
  ORRERY_CONFIRMATIONS: '1',
  ORRERY_SANDBOX: 'on',
});

export async function sharedServer(): Promise<SharedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-shared-journal-'));
  const server = await startPostgres({ directory, settings: ['max_connections=200'] });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  const { host, user } = server.connection;
  const admin = new Client(server.connection);
  try {
    await admin.connect();
    for (const name of ['journal', 'exchange']) await admin.query(`create database ${name}`);
    await admin.end();
  } catch (error) {
    await stop();
    throw error;
  }
  const urlOf = (name: string): string => `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`;
  return {
    journal: { ORRERY_JOURNAL: urlOf('journal'), ORRERY_JOURNAL_WITHOUT_STANDBY: 'allow' },
    database: { ORRERY_DATABASE_URL: urlOf('exchange') },
    stop,
  };
}

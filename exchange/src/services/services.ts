/** The services of the program. Each entry may use those before it; a new service is one line here. */
import { leaseMigrations } from '@orrery/foundation';
import { migrations as gatewayMigrations } from '@orrery/gateway';
import { assert } from '@orrery/units';
import type { Migration } from 'kysely/migration';
import { accountsEntry } from './accounts.ts';
import { campaignEntry } from './campaign.ts';
import { fundEntry } from './fund.ts';
import { historyEntry } from './history.ts';
import { indexerEntry } from './indexer.ts';
import { otcEntry } from './otc.ts';
import { operatorsEntry } from './operators.ts';
import { pricesEntry } from './prices.ts';
import { type Ground, type ServiceEntry, StartedServices } from './service.ts';
import { anchorMigrations } from '../shared-anchor.ts';
import { deploymentMigrations } from '../shared-deployment.ts';
import { moveMigrations } from '../shared-moves.ts';
import { newsMigrations } from '../shared-news.ts';

export const SERVICES: readonly ServiceEntry[] = [
  accountsEntry,
  historyEntry,
  indexerEntry,
  fundEntry,
  campaignEntry,
  otcEntry,
  operatorsEntry,
  pricesEntry,
];

/** @throws when two services have a migration of the same name. */
export function migrationsOf(entries: readonly ServiceEntry[]): Readonly<Record<string, Migration>> {
  const all = entries.flatMap(({ migrations }) => Object.entries(migrations));
  assert(new Set(all.map(([name]) => name)).size === all.length, 'two migrations have the same name');
  return Object.fromEntries(all);
}

/** Of every table of the program: those of its services, the gateway's own, the leases of all of them, the news of accounts, the contracts, the minute of prices, and their moves. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...migrationsOf(SERVICES),
  ...gatewayMigrations,
  ...leaseMigrations,
  ...newsMigrations,
  ...deploymentMigrations,
  ...anchorMigrations,
  ...moveMigrations,
};

export async function startServices(ground: Ground, entries: readonly ServiceEntry[]): Promise<StartedServices> {
  const started = new StartedServices();
  for (const entry of entries) await entry.start(ground, started);
  return started;
}

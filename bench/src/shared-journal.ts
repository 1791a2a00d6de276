/**
 * The journal in PostgreSQL with a synchronous standby on the same machine: commands a second and latency through the sequencer with an engine that does nothing,
 * beside bare inserts of rows of the same bytes into the same servers, and beside the journal in a folder, in one run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresPair } from '@orrery/exchange/postgres-pair';
import { PostgresStore } from '@orrery/exchange/postgres-store';
import { openReplicated, openSequencer } from '@orrery/sequencer';
import { Client } from 'pg';
import { type Acknowledged, ENTRY_BYTES, idleEngines, IN_FLIGHT, RUN_MS, submitFor } from './idle-heart.ts';
import { quantile, rounded, whole } from './measure.ts';
import { heartIn } from './measured-heart.ts';
import type { Findings, Part } from './part.ts';

interface SharedResult {
  readonly inFlight: number;
  readonly shared: Acknowledged;
  readonly bare: Acknowledged;
  readonly folder: Acknowledged;
}

export const sharedJournalPart: Part = {
  name: 'shared-journal',
  about: 'the journal in PostgreSQL with a standby, beside bare inserts and the journal in a folder',
  measure,
};

async function measure(): Promise<Findings> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
  const pair = await PostgresPair.start();
  try {
    const results: SharedResult[] = [];
    for (const inFlight of IN_FLIGHT) {
      // Each on a history of its own, one after the other.
      const folder = await inFolder(join(directory, `folder-${inFlight}`), inFlight);
      const bare = await bareInserts(pair, inFlight);
      const shared = await inPostgres(pair, join(directory, `copy-${inFlight}`), inFlight);
      results.push({ inFlight, folder, bare, shared });
    }
    return {
      figures: { sharedJournal: { results } },
      lines: results.map(
        ({ inFlight, shared, bare, folder }) =>
          `${String(inFlight).padStart(5)} in flight  ${asText(shared)}; bare inserts ${asText(bare)}: ${rounded((100 * shared.commandsPerSecond) / bare.commandsPerSecond, 0)} %, ` +
          `latency ${rounded(shared.p50Ms / bare.p50Ms, 1)} times; folder ${asText(folder)}`,
      ),
    };
  } finally {
    await pair.stop();
    rmSync(directory, { recursive: true });
  }
}

const asText = ({ commandsPerSecond, p50Ms, p99Ms }: Acknowledged): string =>
  `${whole(commandsPerSecond)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;

async function inFolder(directory: string, inFlight: number): Promise<Acknowledged> {
  const heart = await openSequencer(heartIn(directory, idleEngines));
  const found = await submitFor(heart, inFlight);
  await heart.stop();
  return found;
}

async function inPostgres(pair: PostgresPair, directory: string, inFlight: number): Promise<Acknowledged> {
  await asked(pair, 'drop schema if exists orrery_journal cascade');
  const store = await PostgresStore.open({
    urls: [pair.url('primary')],
    withoutStandby: 'stop',
    onNoStandby: (error) => {
      throw error;
    },
    log: () => undefined,
  });
  const heart = await openReplicated({ ...heartIn(directory, idleEngines), store });
  const found = await submitFor(heart, inFlight);
  await heart.stop();
  return found;
}

/** One connection, one row a commit: the bytes of as many orders as are in flight. */
async function bareInserts(pair: PostgresPair, inFlight: number): Promise<Acknowledged> {
  await asked(pair, 'drop table if exists bare');
  await asked(pair, 'create table bare (id bigint primary key, bytes bytea not null)');
  await asked(pair, 'alter table bare alter column bytes set storage external');
  const client = new Client({ connectionString: pair.url('primary') });
  await client.connect();
  const bytes = Buffer.alloc(96 + inFlight * ENTRY_BYTES, 1);
  const waits: number[] = [];
  const start = performance.now();
  while (performance.now() - start < RUN_MS) {
    const sent = performance.now();
    await client.query({ name: 'bare', text: 'insert into bare values ($1, $2)', values: [waits.length, bytes] });
    waits.push(performance.now() - sent);
  }
  const commandsPerSecond = (waits.length * inFlight * 1_000) / (performance.now() - start);
  await client.end();
  return { commandsPerSecond, p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99) };
}

async function asked(pair: PostgresPair, text: string): Promise<void> {
  const client = new Client({ connectionString: pair.url('primary') });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Which numbers are read of which part, at each scrape. */
import type { Leases } from '@orrery/foundation';
import type { Gateway } from '@orrery/gateway';
import type { Indexer } from '@orrery/indexer';
import type { Heart } from '@orrery/protocol';
import type { Database } from '../database.ts';
import type { HeartPending } from '../program-heart.ts';
import type { Metrics } from './metrics.ts';

export interface MeasuredParts {
  readonly heart: Heart & HeartPending;
  readonly standbys: () => number | undefined;
  readonly gateway: Pick<Gateway, 'measures' | 'states'>;
  /** The last command that is in SQL. */
  readonly written: () => number;
  readonly indexer: Pick<Indexer, 'measures' | 'solvency'>;
  readonly pools: Readonly<Record<string, Pick<Database, 'connections'>>>;
  readonly leases: Pick<Leases, 'held'>;
  readonly codeAlarm: { readonly isOn: boolean };
}

const MS = 1_000;

export function measureHeart(metrics: Metrics, heart: Heart & HeartPending, standbys: () => number | undefined): void {
  const lastSeq = (): number => heart.status().seq;
  metrics.gauge({ name: 'orrery_journal_seq', help: 'The last durable command.' }, () => [{ value: lastSeq() }]);
  metrics.gauge({ name: 'orrery_journal_standbys', help: 'Standbys of the PostgreSQL of the journal that have what is durable.' }, () => {
    const value = standbys();
    return value === undefined ? [] : [{ value }];
  });
  metrics.gauge({ name: 'orrery_heart_pending_commands', help: 'Commands taken and not durable.' }, () => [{ value: heart.pending }]);
  metrics.gauge(
    { name: 'orrery_clock_ahead_seconds', help: 'How far the wall clock is ahead of history while its jump is refused.' },
    () => [{ value: heart.status().clockAheadMs / MS }],
  );
}

export function measure(metrics: Metrics, { heart, standbys, gateway, written, indexer, pools, leases, codeAlarm }: MeasuredParts): void {
  measureHeart(metrics, heart, standbys);
  measureFollowers(metrics, heart, { gateway: () => gateway.measures().seq, projector: written });
  measureGateway(metrics, gateway);
  measureChain(metrics, indexer);
  measureCodes(metrics, codeAlarm);
  measureBackground(metrics, { pools, leases });
}

export function measureGateway(metrics: Metrics, gateway: MeasuredParts['gateway']): void {
  metrics.gauge({ name: 'orrery_part_ready', help: '1 while a part of the exchange works as it should.', labels: ['part'] }, () =>
    gateway.states().map(({ name, ready }) => ({ of: { part: name }, value: ready ? 1 : 0 })),
  );
  metrics.gauge({ name: 'orrery_streams_open', help: 'Open WebSocket connections.' }, () => [{ value: gateway.measures().connections }]);
  metrics.gauge({ name: 'orrery_insurance_fund', help: 'What the insurance fund has, in whole coins.', labels: ['coin'] }, () =>
    gateway.measures().insurance.map(({ of, value }) => ({ of: { coin: of }, value: Number(value) })),
  );
  metrics.gauge({ name: 'orrery_open_interest', help: 'Open interest of a contract, in its coin.', labels: ['contract'] }, () =>
    gateway.measures().openInterest.map(({ of, value }) => ({ of: { contract: of }, value: Number(value) })),
  );
}

export function measureChain(metrics: Metrics, indexer: MeasuredParts['indexer']): void {
  metrics.gauge(
    {
      name: 'orrery_solvency_difference_atoms',
      help: 'What the vault holds beyond the ledger; below 0 money is missing.',
      labels: ['coin'],
    },
    () => indexer.solvency().map(({ coin, difference }) => ({ of: { coin }, value: Number(difference) })),
  );
  metrics.gauge({ name: 'orrery_chain_height', help: 'The newest block that was read.' }, async () => {
    const { height } = await indexer.measures();
    return height === undefined ? [] : [{ value: height }];
  });
  metrics.gauge({ name: 'orrery_withdrawals_pending', help: 'Withdrawals that are not posted, by state.', labels: ['state'] }, async () => {
    const { pending } = await indexer.measures();
    return Object.entries(pending).map(([state, value]) => ({ of: { state }, value }));
  });
}

export function measureCodes(metrics: Metrics, codeAlarm: MeasuredParts['codeAlarm']): void {
  metrics.gauge({ name: 'orrery_code_alarm', help: '1 while too many wrong one-time codes are seen.' }, () => [
    { value: codeAlarm.isOn ? 1 : 0 },
  ]);
}

/** @param followers the last command that each has taken in, by its name */
export function measureFollowers(metrics: Metrics, heart: Heart, followers: Readonly<Record<string, () => number>>): void {
  metrics.gauge(
    { name: 'orrery_follower_lag_commands', help: 'Durable commands that a follower has not taken in.', labels: ['follower'] },
    () => Object.entries(followers).map(([follower, seq]) => ({ of: { follower }, value: heart.status().seq - seq() })),
  );
}

export function measureBackground(metrics: Metrics, { pools, leases }: Pick<MeasuredParts, 'pools' | 'leases'>): void {
  metrics.gauge({ name: 'orrery_database_connections', help: 'Connections of a pool, by state.', labels: ['pool', 'state'] }, () =>
    Object.entries(pools).flatMap(([pool, { connections }]) =>
      Object.entries(connections()).map(([state, value]) => ({ of: { pool, state }, value })),
    ),
  );
  metrics.gauge({ name: 'orrery_lease_held', help: '1 while this process does the background work of a kind.', labels: ['kind'] }, () =>
    leases.held().map(({ kind, isHeld }) => ({ of: { kind }, value: isHeld ? 1 : 0 })),
  );
}

/** From the newest durable command on; ends with the heart. */
export async function countCommands(metrics: Metrics, heart: Heart): Promise<void> {
  for await (const batch of heart.subscribe(heart.status().seq)) for (const applied of batch) metrics.onApplied(applied);
}

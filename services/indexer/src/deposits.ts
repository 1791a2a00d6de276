/** The call by which people see their deposits: a pending one is listed from its first block on. */
import { ApiError, type depositRoutes, type Handlers } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import { atoms, printAtoms } from '@orrery/units';
import type { Deployment } from '@orrery/contracts';
import { type Kysely, sql as raw } from 'kysely';
import { lowerCase } from './chain-block.ts';
import type { ListedTokens } from './listed-tokens.ts';
import type { DepositState, IndexerTables } from './tables.ts';

export interface DepositReads {
  readonly sql: Kysely<IndexerTables>;
  readonly tokens: ListedTokens;
  readonly required: number;
  readonly deployment: Pick<Deployment, 'vault' | 'chainId'>;
}

type Shown = Exclude<DepositState, 'refused'> | 'writtenOff';

const SHOWN = {
  pending: 'PENDING',
  credited: 'CREDITED',
  suspended: 'SUSPENDED',
  writtenOff: 'WRITTEN_OFF',
} as const satisfies Record<Shown, string>;

/** One that was suspended with its account is credited when the account is no longer blocked: the ledger's history says so. */
function stateNow(state: Shown, isSuspended: boolean | null): Shown {
  if (state === 'pending' || state === 'writtenOff' || isSuspended === null) return state;
  return isSuspended ? 'suspended' : 'credited';
}

export const depositHandlers = ({ sql, tokens, required, deployment }: DepositReads): Handlers<typeof depositRoutes> => ({
  depositAddress({ query }) {
    const token = tokens.all.find(({ coin }) => coin === query.coin);
    if (token === undefined) throw new ApiError('UnknownAsset', { field: 'coin' });
    const { address, native } = token;
    return {
      coin: token.coin,
      account: lowerCase(deployment.vault),
      coinType: native ? 'NATIVE' : 'TOKEN',
      token: native ? null : address,
      chainId: deployment.chainId,
      memo: null,
      requiredConfirmations: required,
    };
  },

  async deposits({ principal, query }) {
    const page = query.page ?? 1;
    const pageSize = query.pageSize ?? 10;
    const addresses = tokens.all.filter(({ coin }) => query.coin === undefined || coin === query.coin).map(({ address }) => address);
    const after = query.id === undefined ? undefined : placeOf(query.id);
    if (addresses.length === 0 || after === 'unknown') return { list: [], total: 0, next: null };
    const mine = ownDeposits(sql, { address: principal.address, tokens: addresses, chainId: deployment.chainId });
    const total = await countUpTo(sql, sql.selectFrom(mine.as('mine')).select('tx_hash'));
    const head = await sql
      .selectFrom('indexer_block')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirst();
    let select = sql.selectFrom(mine.as('mine')).selectAll();
    if (after !== undefined) select = select.where(raw<boolean>`(${PLACE}) < (${after[0]}, ${after[1]}, ${after[2]}::bigint, ${after[3]})`);
    const rows = await select
      .orderBy('time', 'desc')
      // Blocks of the same second.
      .orderBy((row) => row.fn.coalesce('block_number', row.val(0)), 'desc')
      .orderBy('log_index', 'desc')
      .orderBy('tx_hash', 'desc')
      .limit(pageSize + 1)
      .offset(after === undefined ? (page - 1) * pageSize : 0)
      .execute();
    const shown = rows.slice(0, pageSize);
    const last = shown.at(-1);
    const list = shown.flatMap((row) => {
      const token = tokens.at(row.token);
      if (token === undefined || row.state === 'refused') return [];
      return [
        {
          txHash: row.tx_hash,
          logIndex: row.log_index,
          blockNumber: row.block_number,
          coin: token.coin,
          amount: printAtoms(atoms(BigInt(row.amount)), token.decimals),
          state: SHOWN[stateNow(row.state, row.suspended)],
          confirmations: row.block_number === null ? 0 : (head?.number ?? row.block_number) - row.block_number + 1,
          requiredConfirmations: required,
          createdTime: row.time,
        },
      ];
    });
    const next = rows.length > pageSize && last !== undefined ? nameOf(last) : null;
    return { list, total, next };
  },
});

/** What lists are ordered by, as one row. */
const PLACE = raw`time, coalesce(block_number, 0), log_index, tx_hash`;

const nameOf = (row: { time: number; block_number: number | null; log_index: number; tx_hash: string }): string =>
  `${row.time}:${row.block_number ?? 0}:${row.log_index}:${row.tx_hash}`;

/** 'unknown' is after every page. */
function placeOf(id: string): readonly [number, number, number, string] | 'unknown' {
  const [time = '', block = '', logIndex = '', txHash = ''] = id.split(':');
  const [at, number, place] = [Number(time), Number(block), Number(logIndex)] as const;
  return [at, number, place].every(Number.isSafeInteger) ? [at, number, place, txHash] : 'unknown';
}

interface Whose {
  readonly address: string;
  readonly tokens: readonly string[];
  readonly chainId: number;
}

/** Those on the chain, those that left it after they were credited, and those that were written off and are not back. */
function ownDeposits(sql: DepositReads['sql'], whose: Whose) {
  const { address, tokens } = whose;
  return sql
    .selectFrom('indexer_deposit')
    .innerJoin('indexer_block', 'indexer_block.number', 'indexer_deposit.block_number')
    .leftJoin('indexer_credit', 'indexer_credit.key', 'indexer_deposit.key')
    .select((row) => [
      'tx_hash',
      'log_index',
      row.ref('block_number').$castTo<number | null>().as('block_number'),
      'token',
      'indexer_deposit.amount',
      row.ref('state').$castTo<DepositState | 'writtenOff'>().as('state'),
      'time',
      'suspended',
    ])
    .where('address', '=', address)
    .where('token', 'in', tokens)
    .where('state', '!=', 'refused')
    .unionAll(
      sql
        .selectFrom('indexer_write_off')
        .select([
          'tx_hash',
          'log_index',
          raw<number | null>`cast(null as bigint)`.as('block_number'),
          'token',
          'amount',
          raw<DepositState | 'writtenOff'>`'writtenOff'`.as('state'),
          'written_at as time',
          raw<boolean | null>`cast(null as boolean)`.as('suspended'),
        ])
        .where('address', '=', address)
        .where('token', 'in', tokens)
        .where('returned_at', 'is', null)
        .where((row) =>
          row.not(
            row.exists(row.selectFrom('indexer_deposit').select('key').whereRef('indexer_deposit.key', '=', 'indexer_write_off.key')),
          ),
        ),
    )
    .unionAll(awayFromTheChain(sql, whose));
}

/** Length of the hash of a transaction, as text. */
const HASH_LENGTH = 66;

/** The parts of a deposit's key are those of its place on the chain. */
function awayFromTheChain(sql: DepositReads['sql'], { address, tokens, chainId }: Whose) {
  const hashAt = `${chainId}:`.length + 1;
  const logIndexAt = hashAt + HASH_LENGTH + 1;
  return sql
    .selectFrom('indexer_orphan')
    .select([
      raw<string>`substr(key, ${raw.lit(hashAt)}, ${raw.lit(HASH_LENGTH)})`.as('tx_hash'),
      raw<number>`cast(substr(key, ${raw.lit(logIndexAt)}) as int)`.as('log_index'),
      raw<number | null>`cast(null as bigint)`.as('block_number'),
      'token',
      'amount',
      raw<DepositState | 'writtenOff'>`'suspended'`.as('state'),
      raw<number>`coalesce(since, 0)`.as('time'),
      raw<boolean | null>`cast(null as boolean)`.as('suspended'),
    ])
    .where('address', '=', address)
    .where('token', 'in', tokens)
    .where('settled_at', 'is', null)
    .where((row) =>
      row.not(row.exists(row.selectFrom('indexer_deposit').select('key').whereRef('indexer_deposit.key', '=', 'indexer_orphan.key'))),
    );
}

/** The call by which people see their deposits: a pending one is listed from its first block on. */
import { ApiError, type depositRoutes, type Handlers } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import { atoms, printAtoms } from '@orrery/units';
import type { Deployment } from '@orrery/contracts';
import type { Kysely } from 'kysely';
import { lowerCase } from './chain-block.ts';
import type { ListedTokens } from './listed-tokens.ts';
import type { DepositState, IndexerTables } from './tables.ts';

export interface DepositReads {
  readonly sql: Kysely<IndexerTables>;
  readonly tokens: ListedTokens;
  readonly required: number;
  readonly deployment: Pick<Deployment, 'vault' | 'chainId'>;
}

const SHOWN = { pending: 'PENDING', credited: 'CREDITED', suspended: 'SUSPENDED' } as const satisfies Partial<Record<DepositState, string>>;

/** One that was suspended with its account is credited when the account is no longer blocked: the ledger's history says so. */
function stateNow(state: Exclude<DepositState, 'refused'>, isSuspended: boolean | null): Exclude<DepositState, 'refused'> {
  if (state === 'pending' || isSuspended === null) return state;
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
    if (addresses.length === 0) return { list: [], total: 0 };
    const mine = sql
      .selectFrom('indexer_deposit')
      .where('address', '=', principal.address)
      .where('token', 'in', addresses)
      .where('state', '!=', 'refused');
    const total = await countUpTo(sql, mine.select('tx_hash'));
    const head = await sql
      .selectFrom('indexer_block')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirst();
    const rows = await mine
      .innerJoin('indexer_block', 'indexer_block.number', 'indexer_deposit.block_number')
      .leftJoin('indexer_credit', 'indexer_credit.key', 'indexer_deposit.key')
      .select(['tx_hash', 'log_index', 'block_number', 'token', 'indexer_deposit.amount', 'state', 'time', 'suspended'])
      .orderBy('block_number', 'desc')
      .orderBy('tx_hash')
      .orderBy('log_index')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute();
    const list = rows.flatMap((row) => {
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
          confirmations: (head?.number ?? row.block_number) - row.block_number + 1,
          requiredConfirmations: required,
          createdTime: row.time,
        },
      ];
    });
    return { list, total };
  },
});

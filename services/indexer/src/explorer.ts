/** The chain as people look at it: transactions with their logs decoded, blocks, and what an address has done. */
import { ApiError, type ChainBlockLine, type ChainTransaction, type explorerRoutes, type Handlers, isLuckyHash } from '@orrery/api';
import type { Deployment } from '@orrery/contracts';
import { countOfTable, countUpTo } from '@orrery/foundation';
import { atoms, parseAddress, printAtoms, printDecimal } from '@orrery/units';
import type { Kysely } from 'kysely';
import {
  BlockNotFoundError,
  getAddress,
  type Hash,
  type PublicClient,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { KnownContracts } from './known-contracts.ts';
import type { ListedTokens } from './listed-tokens.ts';
import { recordsOf } from './records.ts';
import type { CoinSolvency } from './solvency.ts';
import type { IndexerTables } from './tables.ts';

export interface ExplorerReads {
  readonly sql: Kysely<IndexerTables>;
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly tokens: ListedTokens;
  readonly required: number;
  readonly solvency: () => readonly CoinSolvency[];
}

const NATIVE_DECIMALS = 18;
const DEFAULT_BLOCKS = 20;

export function explorerHandlers(reads: ExplorerReads): Handlers<typeof explorerRoutes> {
  const { client, deployment, tokens, required } = reads;
  const contracts = new KnownContracts(deployment);
  return {
    contracts: () => ({
      chainId: deployment.chainId,
      exchange: getAddress(deployment.vault),
      faucet: getAddress(deployment.faucet),
      confirmations: required,
      tokens: tokens.all.map(({ coin, address, decimals, native }) => ({ coin, address: getAddress(address), decimals, native })),
    }),

    solvency: () =>
      reads.solvency().map(({ coin, ...amounts }) => {
        const decimals = tokens.all.find((token) => token.coin === coin)?.decimals ?? 0;
        const print = (amount: bigint): string => printAtoms(atoms(amount), decimals);
        return {
          coin,
          vault: print(amounts.vault),
          ledger: print(amounts.ledger),
          uncredited: print(amounts.uncredited),
          unposted: print(amounts.unposted),
          unrequested: print(amounts.unrequested),
          donated: print(amounts.donated),
          unpaid: print(amounts.unpaid),
          orphaned: print(amounts.orphaned),
          writtenOff: print(amounts.writtenOff),
          difference: print(amounts.difference),
        };
      }),

    async chainTransaction({ query }) {
      const hash = query.hash as Hash;
      const transaction = await found(client.getTransaction({ hash }), 'hash', TransactionNotFoundError);
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw upstream(error);
      });
      return receipt === undefined
        ? pendingTransaction(transaction, contracts)
        : minedTransaction({ client, transaction, receipt, contracts });
    },

    async chainBlock({ query }) {
      const which = query.number === undefined ? {} : { blockNumber: BigInt(query.number) };
      const block = await found(client.getBlock(which), 'number', BlockNotFoundError);
      return {
        number: Number(block.number),
        hash: block.hash,
        parentHash: block.parentHash,
        time: Number(block.timestamp),
        gasUsed: String(block.gasUsed),
        lucky: isLuckyHash(block.hash),
        transactions: block.transactions,
      };
    },

    chainRecords: ({ principal, query }) => recordsOf(reads, { ...principal, hash: query.hash.toLowerCase() }),

    chainBlocks: ({ query }) => newestBlocks(reads.sql, query.size ?? DEFAULT_BLOCKS),

    chainTransactions: ({ query }) => newestTransactions(reads.sql, { ...query, contracts }),
  };
}

function pendingTransaction(transaction: Transaction, contracts: KnownContracts): ChainTransaction {
  const { hash, from, to, value, nonce, input } = transaction;
  return {
    txHash: hash,
    blockNumber: null,
    blockHash: null,
    blockTime: null,
    from,
    to,
    createdContract: null,
    value: soso(value),
    nonce,
    transactionIndex: null,
    lucky: false,
    status: 'pending',
    gasUsed: null,
    gasPrice: null,
    fee: null,
    confirmations: 0,
    method: contracts.method(transaction),
    input,
    logs: [],
  };
}

interface Mined {
  readonly client: PublicClient;
  readonly transaction: Transaction;
  readonly receipt: TransactionReceipt;
  readonly contracts: KnownContracts;
}

async function minedTransaction({ client, transaction, receipt, contracts }: Mined): Promise<ChainTransaction> {
  const block = await found(client.getBlock({ blockHash: receipt.blockHash }), 'hash', BlockNotFoundError);
  const head = await client.getBlockNumber().catch((error: unknown) => {
    throw upstream(error);
  });
  return {
    ...pendingTransaction(transaction, contracts),
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockTime: Number(block.timestamp),
    createdContract: receipt.contractAddress ?? null,
    transactionIndex: receipt.transactionIndex,
    lucky: receipt.transactionIndex === 0 && isLuckyHash(receipt.blockHash),
    status: receipt.status === 'success' ? 'success' : 'failed',
    gasUsed: String(receipt.gasUsed),
    gasPrice: String(receipt.effectiveGasPrice),
    fee: soso(receipt.gasUsed * receipt.effectiveGasPrice),
    confirmations: Number(head - receipt.blockNumber) + 1,
    logs: receipt.logs.map((log, logIndex) => ({
      address: log.address,
      logIndex,
      topics: [...log.topics],
      data: log.data,
      ...contracts.decodeLog(log),
    })),
  };
}

async function newestBlocks(sql: Kysely<IndexerTables>, size: number): Promise<ChainBlockLine[]> {
  const rows = await sql
    .selectFrom('indexer_block')
    .select((row) => [
      'number',
      'hash',
      'time',
      row
        .selectFrom('indexer_transaction')
        .select(row.fn.countAll<number>().as('count'))
        .whereRef('indexer_transaction.block_number', '=', 'indexer_block.number')
        .as('transactions'),
    ])
    .orderBy('number', 'desc')
    .limit(size)
    .execute();
  return rows.map(({ number, hash, time, transactions }) => ({
    number,
    hash,
    time: Math.floor(time / 1000),
    lucky: isLuckyHash(hash),
    transactions: Number(transactions),
  }));
}

interface TransactionsQuery {
  readonly address?: string;
  readonly block?: number;
  readonly page?: number;
  readonly pageSize?: number;
  readonly contracts: KnownContracts;
}

async function newestTransactions(sql: Kysely<IndexerTables>, query: TransactionsQuery) {
  const { block, page = 1, pageSize = 10, contracts } = query;
  const address = query.address === undefined ? undefined : parseAddress(query.address);
  const isNarrowed = address !== undefined || block !== undefined;
  let chosen = sql.selectFrom('indexer_transaction');
  if (block !== undefined) chosen = chosen.where('block_number', '=', block);
  // Those of an address include the ones that deposited for it, as the faucet does.
  if (address !== undefined)
    chosen = chosen.where((row) =>
      row.or([
        row('sender', '=', address),
        row('recipient', '=', address),
        row(
          'indexer_transaction.hash',
          'in',
          row.selectFrom('indexer_deposit').select('tx_hash').where('indexer_deposit.address', '=', address),
        ),
      ]),
    );
  const total = isNarrowed
    ? await countUpTo(sql, chosen.select('indexer_transaction.hash'))
    : await countOfTable(sql, 'indexer_transaction');
  const rows = await chosen
    .innerJoin('indexer_block', 'indexer_block.number', 'indexer_transaction.block_number')
    .select(['indexer_transaction.hash', 'block_number', 'time', 'sender', 'recipient', 'value', 'status', 'selector'])
    .orderBy('block_number', 'desc')
    .orderBy('position', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const list = rows.map(({ hash, block_number: blockNumber, time, sender, recipient, value, status, selector }) => ({
    txHash: hash,
    blockNumber,
    blockTime: Math.floor(time / 1000),
    from: sender,
    to: recipient,
    value: soso(BigInt(value)),
    method: contracts.methodOf({ to: recipient, selector }),
    status,
  }));
  return { list, total };
}

function soso(wei: bigint): string {
  return printDecimal(wei, NATIVE_DECIMALS);
}

async function found<Answer>(asked: Promise<Answer>, field: string, missing: abstract new (...args: never[]) => Error): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof missing) throw new ApiError('UnknownThing', { field, cause: error });
    throw upstream(error);
  }
}

function upstream(cause: unknown): ApiError {
  return new ApiError('Upstream', { field: 'the chain', cause });
}

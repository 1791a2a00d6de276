/** The chain as people look at it, and the contracts a wallet talks to. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, HashText, Page, PageSize, SignedDecimal, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const ChainLog = Type.Object({
  address: AddressText,
  logIndex: Type.Integer(),
  topics: Type.Array(HashText),
  data: Type.String(),
  name: nullable(Type.String({ description: 'the event, when the contract is ours' })),
  contract: nullable(Type.String({ description: "the contract's name, when it is ours" })),
  arguments: Type.Array(Type.Object({ name: Type.String(), type: Type.String(), value: Type.String() })),
});
export type ChainLog = Static<typeof ChainLog>;

export const ChainTransaction = Type.Object({
  txHash: HashText,
  blockNumber: nullable(Type.Integer()),
  blockHash: nullable(HashText),
  blockTime: nullable(Type.Integer({ description: 'unix seconds' })),
  from: AddressText,
  to: nullable(AddressText),
  createdContract: nullable(AddressText),
  value: Type.String({ description: 'in SOSO' }),
  nonce: Type.Integer(),
  transactionIndex: nullable(Type.Integer()),
  lucky: Type.Boolean({ description: 'whether it comes first in a lucky block' }),
  status: Type.Enum(['success', 'failed', 'pending']),
  gasUsed: nullable(Type.String()),
  gasPrice: nullable(Type.String({ description: 'in wei' })),
  fee: nullable(Type.String({ description: 'in SOSO' })),
  confirmations: Type.Integer(),
  method: nullable(Type.String({ description: 'the function called, when the contract is ours' })),
  input: Type.String(),
  logs: Type.Array(ChainLog),
});
export type ChainTransaction = Static<typeof ChainTransaction>;

export const ChainBlock = Type.Object({
  number: Type.Integer(),
  hash: HashText,
  parentHash: HashText,
  time: Type.Integer({ description: 'unix seconds' }),
  gasUsed: Type.String(),
  lucky: Type.Boolean({ description: 'whether its hash makes it a lucky block' }),
  transactions: Type.Array(HashText),
});
export type ChainBlock = Static<typeof ChainBlock>;

export const BLOCKS_MAX = 50;

export const ChainBlockLine = Type.Object({
  number: Type.Integer(),
  hash: HashText,
  time: Type.Integer({ description: 'unix seconds' }),
  lucky: Type.Boolean({ description: 'whether its hash makes it a lucky block' }),
  transactions: Type.Integer({ description: 'how many it holds' }),
});
export type ChainBlockLine = Static<typeof ChainBlockLine>;

export const ChainTransactionLine = Type.Object({
  txHash: HashText,
  blockNumber: Type.Integer(),
  blockTime: Type.Integer({ description: 'unix seconds' }),
  from: AddressText,
  to: nullable(AddressText),
  value: Type.String({ description: 'in SOSO' }),
  method: nullable(Type.String({ description: 'the function called, when the contract is ours' })),
  status: Type.Enum(['success', 'failed']),
});
export type ChainTransactionLine = Static<typeof ChainTransactionLine>;

export const ChainRecord = Type.Object({
  kind: Type.Enum(['DEPOSIT', 'CLAIM', 'WITHDRAW']),
  coin: Coin,
  amount: Type.String(),
  reference: nullable(Type.String({ description: 'of its bill; null until it is booked' })),
});
export type ChainRecord = Static<typeof ChainRecord>;

export const ChainContracts = Type.Object({
  chainId: Type.Integer(),
  exchange: AddressText,
  faucet: AddressText,
  confirmations: Type.Integer({ description: 'blocks until a deposit is credited' }),
  tokens: Type.Array(
    Type.Object({
      coin: Coin,
      address: AddressText,
      decimals: Type.Integer(),
      native: Type.Boolean({ description: 'deposited as value of the transaction, not as a token' }),
    }),
  ),
});
export type ChainContracts = Static<typeof ChainContracts>;

export const CoinSolvency = Type.Object({
  coin: Coin,
  vault: Type.String({ description: 'in the vault on the chain' }),
  ledger: Type.String({ description: "of all accounts together, with held money, suspense and the exchange's own" }),
  uncredited: Type.String({ description: 'deposits that are not credited yet' }),
  unposted: Type.String({ description: 'paid by the vault and not booked yet' }),
  unrequested: Type.String({ description: 'paid by the vault although the ledger never requested it' }),
  donated: Type.String({ description: 'sent to the vault without a deposit: nobody is credited with it' }),
  unpaid: Type.String({ description: 'booked, taken back by the chain, and not paid again yet' }),
  orphaned: Type.String({ description: 'in suspense: deposits that the chain took back after they were credited' }),
  writtenOff: Type.String({
    description: 'paid by the exchange for deposits that were written off because they never returned to the chain',
  }),
  difference: SignedDecimal,
});
export type CoinSolvency = Static<typeof CoinSolvency>;

export const explorerRoutes = routes({
  contracts: {
    method: 'GET',
    path: '/pro/p/chain/contracts',
    access: 'public',
    rate: 'public',
    summary: 'The addresses of the exchange, the faucet and the tokens.',
    response: ChainContracts,
  },
  solvency: {
    method: 'GET',
    path: '/pro/p/chain/solvency',
    access: 'public',
    rate: 'public',
    summary:
      'Whether the vault holds what the ledger says, coin by coin; 0 is the difference when it does, and a donation is none. Empty until it was looked at.',
    response: Type.Array(CoinSolvency),
  },
  chainTransaction: {
    method: 'GET',
    path: '/pro/p/explorer/tx',
    access: 'public',
    rate: 'public',
    summary: 'A chain transaction with its block, status and decoded logs.',
    query: strict({ hash: HashText }),
    response: ChainTransaction,
  },
  chainRecords: {
    method: 'GET',
    path: '/pro/u/explorer/records',
    access: 'read',
    rate: 'read',
    summary: 'What a chain transaction brought to your account or took from it.',
    query: strict({ hash: HashText }),
    response: Type.Array(ChainRecord),
  },
  chainBlock: {
    method: 'GET',
    path: '/pro/p/explorer/block',
    access: 'public',
    rate: 'public',
    summary: 'A block by its number; the newest when the number is left out.',
    query: strict({ number: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) }),
    response: ChainBlock,
  },
  chainBlocks: {
    method: 'GET',
    path: '/pro/p/explorer/blocks',
    access: 'public',
    rate: 'public',
    summary: 'The newest blocks, newest first, each with how many transactions it holds and whether it is lucky.',
    query: strict({ size: Type.Optional(Type.Integer({ minimum: 1, maximum: BLOCKS_MAX, default: 20 })) }),
    response: Type.Array(ChainBlockLine),
  },
  chainTransactions: {
    method: 'GET',
    path: '/pro/p/explorer/transactions',
    access: 'public',
    rate: 'public',
    summary: 'The newest chain transactions, of one address or of one block when it is given.',
    query: strict({
      address: Type.Optional(AddressText),
      block: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "a block's number" })),
      page: Type.Optional(Page),
      pageSize: Type.Optional(PageSize),
    }),
    response: listed(ChainTransactionLine),
  },
});

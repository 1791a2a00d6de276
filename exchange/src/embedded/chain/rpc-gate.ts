/** JSON-RPC for browsers and wallets: a short list of methods, none of which can touch the node itself. */
import { RpcError } from '@orrery/contracts/anvil';
import type { Hash, Hex } from 'viem';
import { SenderRates } from './sender-rates.ts';
import type { SignedTransaction } from './signed-transaction.ts';

/** What a chain offers behind the gate. */
export interface GatedChain {
  readonly chainId: number;
  read(method: string, params: readonly unknown[]): Promise<unknown>;
  send(transaction: SignedTransaction): Promise<Hash>;
}

const BATCH_MAX = 20;
const CALL_GAS_MAX = 30_000_000n;
const LOG_BLOCKS_MAX = 10_000n;

const READS = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_listening',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
]);

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const LIMIT_EXCEEDED = -32005;
const INTERNAL = -32603;

interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface GateOptions {
  /** Judges a raw transaction by what it says of itself, off the thread that trades. Throws RpcError for one that is refused. */
  readonly read: (raw: unknown, chainId: number) => Promise<SignedTransaction>;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

export function rpcGate(
  chain: GatedChain,
  { read, now = () => performance.now() }: GateOptions,
): (body: unknown) => Promise<RpcAnswer | readonly RpcAnswer[]> {
  const gate: Gate = { chain, read, rates: new SenderRates(now) };
  return async (body) => {
    if (!Array.isArray(body)) return answer(gate, body);
    if (body.length === 0 || body.length > BATCH_MAX) {
      return refusal(null, { code: INVALID_REQUEST, message: `a batch has 1 to ${BATCH_MAX} calls` });
    }
    const answers: RpcAnswer[] = [];
    // One after the other: a batch takes no more of the node at a time than a single call does.
    for (const call of body) answers.push(await answer(gate, call));
    return answers;
  };
}

interface Gate {
  readonly chain: GatedChain;
  readonly read: GateOptions['read'];
  readonly rates: SenderRates;
}

async function answer(gate: Gate, body: unknown): Promise<RpcAnswer> {
  const id = idOf(body);
  try {
    return { jsonrpc: '2.0', id, result: await perform(gate, body) };
  } catch (error) {
    return refusal(id, refusalOfNode(error) ?? { code: INTERNAL, message: 'the chain does not answer' });
  }
}

/** What the node itself said, however many wrappings of a client lie around it. */
function refusalOfNode(error: unknown): RpcAnswer['error'] {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, details, data } = fieldsOf(cause);
    if (typeof code !== 'number') continue;
    const message = typeof details === 'string' ? details : cause.message;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return undefined;
}

async function perform({ chain, read, rates }: Gate, body: unknown): Promise<unknown> {
  const { method, params } = parseCall(body);
  if (method === 'eth_sendRawTransaction') {
    const transaction = await read(params[0], chain.chainId);
    return rates.count(transaction.sender, () => chain.send(transaction));
  }
  if (!READS.has(method)) throw new RpcError({ code: METHOD_NOT_FOUND, message: `the method ${method.slice(0, 64)} is not available` });
  if (method === 'eth_call' || method === 'eth_estimateGas') checkGas(params[0]);
  if (method === 'eth_getLogs') await checkLogRange(chain, params[0]);
  return chain.read(method, params);
}

function parseCall(body: unknown): { method: string; params: readonly unknown[] } {
  const { jsonrpc, method, params = [] } = fieldsOf(body);
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !Array.isArray(params)) {
    throw new RpcError({ code: INVALID_REQUEST, message: 'a call is {"jsonrpc":"2.0","id","method","params":[]}' });
  }
  return { method, params };
}

function checkGas(call: unknown): void {
  const { gas } = fieldsOf(call);
  if (gas === undefined) return;
  if (!isHex(gas) || BigInt(gas) > CALL_GAS_MAX)
    throw new RpcError({ code: INVALID_PARAMS, message: `gas is hex of at most ${CALL_GAS_MAX}` });
}

async function checkLogRange(chain: GatedChain, filter: unknown): Promise<void> {
  const { blockHash, fromBlock = 'latest', toBlock = 'latest' } = fieldsOf(filter);
  if (blockHash !== undefined) return;
  const newest = BigInt((await chain.read('eth_blockNumber', [])) as Hex);
  const span = blockOf(toBlock, newest) - blockOf(fromBlock, newest);
  if (span > LOG_BLOCKS_MAX) throw new RpcError({ code: LIMIT_EXCEEDED, message: `logs of at most ${LOG_BLOCKS_MAX} blocks at a time` });
}

function blockOf(tag: unknown, newest: bigint): bigint {
  if (tag === 'earliest') return 0n;
  if (isHex(tag)) return BigInt(tag) > newest ? newest : BigInt(tag);
  return newest;
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function idOf(body: unknown): string | number | null {
  const { id } = fieldsOf(body);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function refusal(id: string | number | null, error: NonNullable<RpcAnswer['error']>): RpcAnswer {
  return { jsonrpc: '2.0', id, error };
}

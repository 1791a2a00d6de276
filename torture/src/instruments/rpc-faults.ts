/** Ways in which a node fails or lies. */
import { setTimeout as pause } from 'node:timers/promises';
import { keccak256, numberToHex, type Hex } from 'viem';
import type { RpcAnswer, RpcFault } from './rpc-proxy.ts';

type Json = Readonly<Record<string, unknown>>;

const never = (): Promise<RpcAnswer> => new Promise(() => undefined);
const refusal = (message: string): RpcAnswer => ({ status: 200, error: { code: -32000, message } });
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const logsOf = (receipt: Json): readonly Json[] => (Array.isArray(receipt['logs']) ? (receipt['logs'] as readonly Json[]) : []);

/** Changes the receipts of a block on their way; everything else passes. */
const withReceipts =
  (change: (receipts: readonly Json[]) => readonly Json[]): RpcFault =>
  async ({ method }, forward) => {
    const answer = await forward();
    if (method === 'eth_getLogs') return { ...answer, result: [] };
    if (method !== 'eth_getBlockReceipts' || !Array.isArray(answer.result)) return answer;
    return { ...answer, result: change(answer.result.filter(isJson)) };
  };

const withLogs = (change: (logs: readonly Json[]) => readonly Json[]): RpcFault =>
  withReceipts((receipts) => receipts.map((receipt) => ({ ...receipt, logs: change(logsOf(receipt)) })));

/** The chain as it was at a height; what came later is not known. */
const behind =
  (height: number): RpcFault =>
  async ({ method, params }, forward) => {
    if (method === 'eth_blockNumber') return { status: 200, result: numberToHex(height) };
    if (method === 'eth_getBlockByNumber') {
      const [wanted, ...rest] = params;
      const number = typeof wanted === 'string' && wanted.startsWith('0x') ? Number(wanted) : height;
      if (number > height) return { status: 200, result: null };
      return forward([numberToHex(number), ...rest]);
    }
    return forward();
  };

/** Every second call goes to a node that has stopped following the chain. */
function flapping(height: number): RpcFault {
  let calls = 0;
  const old = behind(height);
  return (call, forward) => {
    calls += 1;
    return calls % 2 === 0 ? old(call, forward) : forward();
  };
}

const ofBroadcasts =
  (fault: (raw: Hex, forward: () => Promise<RpcAnswer>) => Promise<RpcAnswer>): RpcFault =>
  ({ method, params }, forward) =>
    method === 'eth_sendRawTransaction' ? fault(params[0] as Hex, forward) : forward();

export interface NamedFault {
  readonly name: string;
  /** @param height of the chain when it begins. */
  readonly begin: (height: number) => RpcFault;
}

/** What may go wrong between us and one node. */
export const NODE_FAULTS: readonly NamedFault[] = [
  { name: '503 to everything', begin: () => () => Promise.resolve({ status: 503, body: 'busy' }) },
  { name: '429 to everything', begin: () => () => Promise.resolve({ status: 429, body: '{"error":"slow down"}' }) },
  { name: 'a page in place of JSON', begin: () => () => Promise.resolve({ status: 200, body: '<html>maintenance</html>' }) },
  { name: 'no answer at all', begin: () => never },
  { name: 'answers after a second', begin: () => async (_call, forward) => pause(1_000).then(() => forward()) },
  { name: 'a head that stands still', begin: behind },
  { name: 'every second answer of an old head', begin: flapping },
  { name: 'receipts without logs', begin: () => withLogs(() => []) },
  { name: 'no receipts', begin: () => withReceipts(() => []) },
  { name: 'every log twice', begin: () => withLogs((logs) => logs.flatMap((log) => [log, log])) },
  { name: 'the last log of each transaction left out', begin: () => withLogs((logs) => logs.slice(0, -1)) },
  { name: 'the first log of each transaction left out', begin: () => withLogs((logs) => logs.slice(1)) },
  { name: 'logs in reverse order', begin: () => withLogs((logs) => logs.toReversed()) },
  { name: 'receipts in reverse order', begin: () => withReceipts((receipts) => receipts.toReversed()) },
  {
    name: 'broadcasts taken, and the answer lost',
    begin: () => ofBroadcasts(async (_raw, forward) => forward().then(() => ({ status: 502, body: '' }))),
  },
  {
    name: 'broadcasts taken, and called known already',
    begin: () => ofBroadcasts(async (_raw, forward) => forward().then(() => refusal('already known'))),
  },
  { name: 'broadcasts refused', begin: () => ofBroadcasts(() => Promise.resolve(refusal('txpool is full'))) },
  {
    name: 'broadcasts acknowledged and thrown away',
    begin: () => ofBroadcasts((raw) => Promise.resolve({ status: 200, result: keccak256(raw) })),
  },
];

/** The embedded chain as a transport for viem: what our own services speak through, without a socket. */
import { custom, type CustomTransport } from 'viem';
import type { GatedChain } from './rpc-gate.ts';
import { readTransaction } from './signed-transaction.ts';

export function chainTransport(chain: GatedChain): CustomTransport {
  return custom(
    {
      request: async ({ method, params }: { method: string; params?: readonly unknown[] }) =>
        method === 'eth_sendRawTransaction'
          ? chain.send(await readTransaction(params?.[0], chain.chainId))
          : chain.read(method, params ?? []),
    },
    { retryCount: 0 },
  );
}

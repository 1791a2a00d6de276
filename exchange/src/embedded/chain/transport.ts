/** The embedded chain as a transport for viem: what our own services speak through, without a socket. */
import { custom, type CustomTransport, type Hex } from 'viem';
import type { GatedChain } from './rpc-gate.ts';

export function chainTransport(chain: GatedChain): CustomTransport {
  return custom(
    {
      request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
        method === 'eth_sendRawTransaction' ? chain.sendRawTransaction(params?.[0] as Hex) : chain.read(method, params ?? []),
    },
    { retryCount: 0 },
  );
}

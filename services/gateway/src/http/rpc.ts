/**
 * `/rpc`: the chain for browsers. JSON-RPC has its own envelope; sizes and rates are ours. Wallets call it from origins of their own, and nothing here acts on who calls.
 */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '@orrery/api';
import type { CallPorts } from './calls.ts';
import { networkOf } from '../limits/network.ts';
import type { Rpc } from '../ports.ts';
import { API_HEADERS } from './refuse.ts';
import { bodyOf } from './server.ts';

export function mountRpc(server: FastifyInstance, rpc: Rpc, { charges, limits }: Pick<CallPorts, 'charges' | 'limits'>): void {
  server.post('/rpc', { bodyLimit: limits.http.rpcBodyBytes }, async (request, reply) => {
    const body = bodyOf(request);
    const calls: readonly unknown[] = Array.isArray(body?.value) ? body.value : [body?.value];
    const payer = { network: networkOf(request.ip), name: undefined, tier: 'standard' } as const;
    charges.items('rpc', payer, Math.max(1, calls.length));
    charges.items('rawTransaction', payer, calls.filter(isRawTransaction).length);
    if (body === undefined) throw new ApiError('MalformedBody');
    reply.headers(API_HEADERS);
    return rpc.handle(body.value);
  });
}

/** Each has a signature to recover and a sender to look up. */
const isRawTransaction = (call: unknown): boolean =>
  typeof call === 'object' && call !== null && 'method' in call && call.method === 'eth_sendRawTransaction';

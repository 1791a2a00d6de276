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
    if (body === undefined) throw new ApiError('MalformedBody');
    const calls = Array.isArray(body.value) ? body.value.length : 1;
    charges.items('rpc', { network: networkOf(request.ip), name: undefined, tier: 'standard' }, Math.max(1, calls));
    reply.headers(API_HEADERS);
    return rpc.handle(body.value);
  });
}

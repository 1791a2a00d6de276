/** What reaches no call is charged as calls are: a host that is not ours, a path that is not there, a body that cannot be read. */
import type { FastifyRequest } from 'fastify';
import type { Charges } from '../limits/charges.ts';
import { networkOf } from '../limits/network.ts';

/** @returns the refusal to answer: `refused`, or 429 where the network has had too many. */
export function atCost(refused: unknown, { ip }: Pick<FastifyRequest, 'ip'>, charges: Pick<Charges, 'stranger'>): unknown {
  try {
    charges.stranger(networkOf(ip));
    return refused;
  } catch (tooMany) {
    return tooMany;
  }
}

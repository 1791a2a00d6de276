/** A line of the log for each withdrawal that is refused: money that somebody wanted out and did not get, and why. */
import type { FastifyRequest } from 'fastify';
import { contract, type Operator, type Principal, type Route } from '@orrery/api';
import { networkOf } from '../limits/network.ts';
import { refusalOf } from './refuse.ts';
import { bodyOf } from './server.ts';

const FIELDS = ['withdrawalId', 'coin', 'amount', 'to'] as const;
/** A longer one is no field of a withdrawal. */
const FIELD_LENGTH_MAX = 80;

export const isWithdrawal = ({ path }: Route): boolean => path === contract.withdraw.path;

export function logRefusedWithdrawal(error: unknown, request: FastifyRequest, principal: Principal | Operator | undefined): void {
  const {
    status,
    data: { reason, field },
  } = refusalOf(error);
  const caller = principal !== undefined && 'account' in principal ? { account: principal.account, via: principal.via } : {};
  request.log.warn(
    { requestId: request.id, status, reason, field, ...caller, network: networkOf(request.ip), ...wishOf(request) },
    'a withdrawal was refused',
  );
}

function wishOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const body = bodyOf(request)?.value;
  if (typeof body !== 'object' || body === null) return {};
  const entries = FIELDS.map((name) => [name, Reflect.get(body, name) as unknown] as const);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [(typeof FIELDS)[number], string] => typeof entry[1] === 'string' && entry[1].length <= FIELD_LENGTH_MAX,
    ),
  );
}

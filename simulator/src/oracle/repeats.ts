/** The same call again gets the same answer (O7): an order that history knows by its name is never refused, and never another one. */
import type { AccountId } from '@orrery/units';
import type { Answer, Call } from '../door.ts';
import { Violation } from '../violation.ts';
import type { Witness } from './witness.ts';

/** Serves the call; throws a violation when the answer is not the one that was due. */
export async function servedAgain(
  call: Call,
  { account, witness, serve }: { account: AccountId; witness: Witness; serve: (call: Call) => Promise<Answer> },
): Promise<Answer> {
  const name = nameOf(call);
  const known = name === undefined ? undefined : witness.ordersNamed(account, name)[0];
  const answer = await serve(call);
  if (known === undefined || isTemporary(answer) || isBlocked(answer)) return answer;
  const orderId = answer.kind === 'ok' ? String(answer.data) : undefined;
  if (orderId === String(known.orderId)) return answer;
  const reported = answer.kind === 'ok' ? `is answered as ${String(orderId)}` : `is refused (${answer.reason})`;
  throw new Violation('O7', `${call.route} ${name} again, which is order ${known.orderId} since command ${known.seq}, ${reported}`);
}

/** "Not now" and "too many" are no answers. */
export const isTemporary = (answer: Answer): boolean => answer.kind === 'refused' && (answer.status === 429 || answer.status >= 500);

const isBlocked = (answer: Answer): boolean => answer.kind === 'refused' && /^(Address|Account)Blocked$/.test(answer.reason);

const NAMED: ReadonlySet<Call['route']> = new Set(['createOrder', 'updateOrder', 'createFuturesOrder', 'createPlan']);

function nameOf({ route, body }: Call): string | undefined {
  if (!NAMED.has(route)) return undefined;
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'clientOrderId') : undefined;
  // The malformed ones share a name.
  return typeof name === 'string' && name !== 'malformed' ? name : undefined;
}

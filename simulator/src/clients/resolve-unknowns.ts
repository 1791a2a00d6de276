/** When all is well again: everything that was never answered is looked up, and is what the history says, once. */
import type { Meters } from '../meters.ts';
import type { Witness } from '../oracle/witness.ts';
import { Violation } from '../violation.ts';
import type { AccountId } from '@orrery/units';
import type { Unknown } from './memory.ts';
import { PAGE, type Query, type Route, type Voice } from './voice.ts';

export interface Inquirer {
  readonly name: string;
  readonly account: AccountId;
  readonly voice: Voice;
  readonly witness: Witness;
  readonly meters: Meters;
}

export async function resolveUnknowns(unknowns: readonly Unknown[], inquirer: Inquirer): Promise<void> {
  if (unknowns.length === 0) return;
  const { voice, meters } = inquirer;
  const closed = await namesOf(voice, 'orderHistory', { size: String(PAGE) });
  const isOf = (wanted: Unknown['kind']): boolean => unknowns.some(({ kind }) => kind === wanted);
  const closedOfContracts = isOf('contractOrder') ? await namesOf(voice, 'futuresOrderHistory', { size: String(PAGE) }) : NO_NAMES;
  const closedPlans = isOf('plan') ? await namesOf(voice, 'planHistory', { size: String(PAGE) }) : NO_NAMES;
  const transfers = await namesOf(voice, 'transfers', { pageSize: String(PAGE) });
  const withdrawals = await namesOf(voice, 'withdrawals', { pageSize: String(PAGE) });
  for (const { kind, name } of unknowns) {
    const isFound =
      kind === 'order'
        ? await findOrder({ name, route: 'order' }, closed, inquirer)
        : kind === 'contractOrder'
          ? await findOrder({ name, route: 'futuresOrder' }, closedOfContracts, inquirer)
          : kind === 'plan'
            ? await findOrder({ name, route: 'futuresOrder' }, closedPlans, inquirer)
            : kind === 'transfer'
              ? findTransfer(name, transfers, inquirer)
              : withdrawals.has(name) && mustBeHeld(name, inquirer);
    meters.count(`unknown ${kind} was ${isFound ? 'there' : 'not there'}`);
  }
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** By its name while it is open, else among those that are over. */
async function findOrder(
  { name: clientOrderId, route }: { readonly name: string; readonly route: 'order' | 'futuresOrder' },
  closed: ReadonlyMap<string, string>,
  { name, account, voice, witness }: Inquirer,
): Promise<boolean> {
  const known = closed.get(clientOrderId);
  const open = known === undefined ? await voice.ask({ route, query: { clientOrderId } }) : undefined;
  const found = open?.kind === 'ok' ? field(open.data, 'orderId') : known;
  const named = witness.ordersNamed(account, clientOrderId);
  if (named.length > 1) throw new Violation('R3', `order ${clientOrderId} of ${name} was accepted ${named.length} times`);
  const [order] = named;
  // One that has another name since is not found by this one.
  const expected = order === undefined || !witness.isNamed(order.orderId, clientOrderId) ? undefined : String(order.orderId);
  if (found !== expected)
    throw new Violation('J1', `order ${clientOrderId} of ${name} is found as ${found ?? 'nothing'}, and is ${expected ?? 'nothing'}`);
  return order !== undefined;
}

function findTransfer(transferId: string, transfers: ReadonlyMap<string, string>, { name, account, witness }: Inquirer): boolean {
  const [isFound, isMade] = [transfers.has(transferId), witness.isTransferred(account, transferId)];
  if (isFound === isMade) return isFound;
  throw new Violation('J1', `transfer ${transferId} of ${name} is ${isMade ? '' : 'not '}made, and is ${isFound ? '' : 'not '}found`);
}

function mustBeHeld(withdrawalId: string, { name, witness }: Inquirer): true {
  if (witness.isHeld(withdrawalId)) return true;
  throw new Violation('J1', `withdrawal ${withdrawalId} of ${name} is found, and was never held`);
}

/** Of all that is over: order ids by the client's names, or transfers and withdrawals by theirs. */
async function namesOf(voice: Voice, route: Route, query: Query): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const item of voice.pages(route, query)) {
    names.set(
      field(item, 'clientOrderId') ?? field(item, 'transferId') ?? field(item, 'withdrawalId') ?? '',
      field(item, 'orderId') ?? field(item, 'entrustId') ?? '',
    );
  }
  return names;
}

function field(item: unknown, name: string): string | undefined {
  const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

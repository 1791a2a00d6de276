/** What a trace says of a command and of what came of it: its kind, its place and the ids of its orders. No amount, no account, no address, no text of a person. */
import type { Attributes } from '@opentelemetry/api';
import type { Command, Event } from '@orrery/protocol';

/** Of a command with many orders. */
const IDS_MAX = 20;

export function commandFacts(command: Command): Attributes {
  return {
    'orrery.command': command.type,
    ...named('orrery.client_order_id', clientOrderIdsOf(command)),
    ...named('orrery.order_id', orderIdsOf(command)),
  };
}

/** @param place in history */
export function receiptFacts({ seq, events }: { readonly seq: number; readonly events: readonly Event[] }): Attributes {
  const placed = events.flatMap((event) =>
    event.type === 'OrderAccepted' || event.type === 'OrderRepeated' ? [String(event.orderId)] : [],
  );
  const refused = events.find((event) => event.type === 'CommandRejected');
  return {
    'orrery.seq': seq,
    ...named('orrery.order_id', placed),
    ...(refused !== undefined && { 'orrery.reject_reason': refused.reason }),
  };
}

/** One is a text, so that it can be searched for; several are a list. */
function named(name: string, ids: readonly string[]): Attributes {
  const [first] = ids;
  if (first === undefined) return {};
  return ids.length === 1 ? { [name]: first } : { [`${name}s`]: ids.slice(0, IDS_MAX) };
}

function clientOrderIdsOf(command: Command): readonly string[] {
  if ('clientOrderId' in command) return present(command.clientOrderId);
  if (command.type === 'PlaceOrders') return command.orders.flatMap(({ clientOrderId }) => present(clientOrderId));
  if (command.type === 'PlacePair') return [command.above, command.below].flatMap(({ clientOrderId }) => present(clientOrderId));
  return [];
}

function orderIdsOf(command: Command): readonly string[] {
  if (command.type === 'CancelOrders') return command.orderIds.map(String);
  return 'orderId' in command && typeof command.orderId === 'number' && command.orderId !== 0 ? [String(command.orderId)] : [];
}

const present = (id: unknown): readonly string[] => (typeof id === 'string' && id !== '' ? [id] : []);

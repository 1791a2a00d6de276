/** Orders that were sent from this tab and are not answered yet. */
import { openIntents } from '../../../kit/storage/open-intents.ts';
import type { OrderDraft } from './order-draft.ts';
import { ORDER_KINDS } from './ticket-form.ts';

const TIMES = ['GTC', 'IOC', 'FOK', 'GTX'] as const;

const FURTHER = ['legPrice', 'callback', 'activation', 'takeProfit', 'stopLoss'] as const satisfies readonly (keyof OrderDraft)[];

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

export function parseDraft(json: unknown): OrderDraft | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { symbol, side, kind, timeInForce, price, trigger, size, funds, ...rest } = json as Readonly<Record<string, unknown>>;
  const knownKind = ORDER_KINDS.find((known) => known === kind);
  const knownTime = TIMES.find((known) => known === timeInForce);
  if (typeof symbol !== 'string' || (side !== 'buy' && side !== 'sell') || knownKind === undefined || knownTime === undefined)
    return undefined;
  if (!isText(price) || !isText(trigger) || !isText(size) || !isText(funds)) return undefined;
  const further = FURTHER.map((name) => [name, rest[name]] as const).filter(([, value]) => typeof value === 'string');
  return {
    symbol,
    side,
    kind: knownKind,
    timeInForce: knownTime,
    price,
    trigger,
    size,
    funds,
    ...Object.fromEntries(further),
    ...(rest['max'] === true && { max: true }),
  };
}

export const openOrderIntents = openIntents<OrderDraft>({ name: 'openOrders', parse: parseDraft });

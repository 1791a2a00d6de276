/** The tickets of a page, one for each account and market: what is typed for one market is never seen in another. Pure. */
import { EMPTY_TICKET, takesPrice, takesTrigger } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';
import type { Account } from '../../../kit/storage/account-in-view.ts';

export interface TicketOwner {
  /** `undefined` for a visitor. */
  readonly account: Account | undefined;
  readonly symbol: string;
}

export interface TicketState {
  readonly form: TicketForm;
  /** A price of the market itself gives way to a newer one; the person's own, an emptied one too, stays. */
  readonly priceBy: 'nobody' | 'market' | 'person';
}

export type Tickets = ReadonlyMap<string, TicketState>;

const keyOf = ({ account, symbol }: TicketOwner): string => `${account ?? ''}:${symbol}`;

/** What stays when a person turns to another market: how orders are made, without their numbers. */
const kindOf = ({ tab, side, unit, waits, stopKind, timeInForce, postOnly }: TicketForm): Partial<TicketForm> => ({
  tab,
  side,
  unit,
  waits,
  stopKind,
  timeInForce,
  postOnly,
});

/** What a visitor typed is there once they have signed in. A market that was not seen yet gets the kind of order that was made last. */
export function ticketOf(tickets: Tickets, owner: TicketOwner): TicketState {
  const own = tickets.get(keyOf(owner)) ?? tickets.get(keyOf({ ...owner, account: undefined }));
  if (own !== undefined) return own;
  const last = [...tickets.values()].at(-1);
  return { form: { ...EMPTY_TICKET, ...(last !== undefined && kindOf(last.form)) }, priceBy: 'nobody' };
}

/** Re-inserted, so that the last one of the map is the last one that changed. */
function put(tickets: Tickets, owner: TicketOwner, state: TicketState): Tickets {
  const next = new Map(tickets);
  next.delete(keyOf(owner));
  return next.set(keyOf(owner), state);
}

/** What the most is depends on them: a size that was the most before is a size of the person's own then. */
const MEANS = ['side', 'unit', 'tab', 'waits', 'stopKind'] as const satisfies readonly (keyof TicketForm)[];

export function edit(tickets: Tickets, owner: TicketOwner, part: Partial<TicketForm>): Tickets {
  const state = ticketOf(tickets, owner);
  const priceBy = part.price === undefined ? state.priceBy : 'person';
  return put(tickets, owner, {
    ...state,
    priceBy,
    form: { ...state.form, ...(MEANS.some((name) => part[name] !== undefined) && { most: '' }), ...part },
  });
}

export interface PickedLevel {
  /** Decimal text. */
  readonly price: string;
  /** Base asset, decimal text; `undefined` leaves the size as it is. */
  readonly size?: string | undefined;
  /** `undefined` leaves the side as it is. */
  readonly side?: 'buy' | 'sell' | undefined;
}

/** A level picked from the book: a market order becomes a limit order, as nobody picks a price for nothing. */
export function pick(tickets: Tickets, owner: TicketOwner, { price, size, side }: PickedLevel): Tickets {
  const { form } = ticketOf(tickets, owner);
  const sized: Partial<TicketForm> = { ...(size !== undefined && { size, unit: 'base' }), ...(side !== undefined && { side }) };
  if (!takesPrice(form) && takesTrigger(form)) return edit(tickets, owner, { ...sized, trigger: price });
  return edit(tickets, owner, { ...sized, price, tab: form.tab === 'market' ? 'limit' : form.tab });
}

/** The middle of the market, unless the price is the person's own. */
export function prefill(tickets: Tickets, owner: TicketOwner, price: string): Tickets {
  const state = ticketOf(tickets, owner);
  if (state.priceBy === 'person') return tickets;
  return put(tickets, owner, { ...state, priceBy: 'market', form: { ...state.form, price } });
}

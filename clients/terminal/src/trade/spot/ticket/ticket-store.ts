/** The tickets of this page: shared by the ticket, the book that gives it prices and the buttons that open it. */
import { useMemo } from 'react';
import { create } from 'zustand';
import { useAccountInView } from '../../../platform/session/session.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useMarket } from '../../../market/market-context.tsx';
import type { TicketForm } from './ticket-form.ts';
import { openOrderIntents } from './open-orders.ts';
import { edit, ticketOf } from './tickets.ts';
import type { TicketOwner, Tickets, TicketState } from './tickets.ts';

interface TicketStore {
  readonly tickets: Tickets;
}

/** The unit chosen last, coins or what is paid for them, is that of the first ticket. */
const firstTickets = (): Tickets =>
  edit(new Map(), { account: undefined, symbol: '' }, { unit: useSettings.getState().unit === 'COIN' ? 'base' : 'quote' });

const useTickets = create<TicketStore>()(() => ({ tickets: firstTickets() }));

/** While an order is on its way or unanswered, its ticket shows that order and no other. */
const isFrozen = ({ account, symbol }: TicketOwner): boolean =>
  account !== undefined && openOrderIntents.of(account).some(({ body }) => body.symbol === symbol);

export function changeTicket(owner: TicketOwner, change: (tickets: Tickets) => Tickets): void {
  if (!isFrozen(owner)) useTickets.setState(({ tickets }) => ({ tickets: change(tickets) }));
}

export const editTicket = (owner: TicketOwner, part: Partial<TicketForm>): void =>
  changeTicket(owner, (tickets) => edit(tickets, owner, part));

/** Whose ticket is in view. */
export function useTicketOwner(): TicketOwner {
  const account = useAccountInView();
  const { symbol } = useMarket();
  return useMemo(() => ({ account, symbol }), [account, symbol]);
}

export interface TicketInView extends TicketState {
  readonly owner: TicketOwner;
  readonly set: (part: Partial<TicketForm>) => void;
}

export function useTicket(): TicketInView {
  const owner = useTicketOwner();
  const tickets = useTickets((store) => store.tickets);
  const state = useMemo(() => ticketOf(tickets, owner), [tickets, owner]);
  return { ...state, owner, set: (part) => editTicket(owner, part) };
}

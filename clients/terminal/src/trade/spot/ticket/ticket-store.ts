/** What is in the order ticket: shared by the ticket, the book that gives it prices and the buttons that open it. One for the page; a new market empties it. */
import { create } from 'zustand';
import { useSettings } from '../../../settings/settings.ts';
import { EMPTY_TICKET } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

interface TicketStore {
  readonly form: TicketForm;
  readonly set: (change: Partial<TicketForm>) => void;
  /** A price picked from the book: a market order becomes a limit order, as nobody picks a price for nothing. */
  readonly takePrice: (price: string) => void;
  /** After an order was taken, or in another market. The side and kind stay. */
  readonly clear: (what: 'size' | 'numbers') => void;
}

/** The unit chosen last: coins, or what is paid for them. */
const rememberedUnit = (): TicketForm['unit'] => (useSettings.getState().unit === 'COIN' ? 'base' : 'quote');

export const useTicket = create<TicketStore>()((change) => ({
  form: { ...EMPTY_TICKET, unit: rememberedUnit() },
  set: (part) => change(({ form }) => ({ form: { ...form, ...part } })),
  takePrice: (price) =>
    change(({ form }) => {
      if (form.tab === 'stop' && form.stopKind === 'market') return { form: { ...form, trigger: price } };
      return { form: { ...form, price, tab: form.tab === 'market' ? 'limit' : form.tab } };
    }),
  clear: (what) =>
    change(({ form }) => ({ form: what === 'size' ? { ...form, size: '' } : { ...form, size: '', price: '', trigger: '' } })),
}));

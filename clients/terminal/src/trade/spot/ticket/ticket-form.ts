/** What a person has put into the order ticket, as text; nothing here knows what it means. */
export type TicketTab = 'limit' | 'market' | 'stop';
export const TICKET_TABS = ['limit', 'market', 'stop'] as const satisfies readonly TicketTab[];

export type SizeUnit = 'base' | 'quote';
/** What a stop becomes when its trigger price is reached. */
export type StopKind = 'limit' | 'market';
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export type TicketTimeInForce = (typeof TIMES_IN_FORCE)[number];

export interface TicketForm {
  readonly tab: TicketTab;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly trigger: string;
  readonly size: string;
  readonly unit: SizeUnit;
  readonly stopKind: StopKind;
  readonly timeInForce: TicketTimeInForce;
  readonly postOnly: 'on' | 'off';
}

export const EMPTY_TICKET: TicketForm = {
  tab: 'limit',
  side: 'buy',
  price: '',
  trigger: '',
  size: '',
  unit: 'base',
  stopKind: 'limit',
  timeInForce: 'GTC',
  postOnly: 'off',
};

export type TicketField = 'price' | 'trigger' | 'size';

/** The kind of order the ticket would send now. */
export function orderKind(form: TicketForm): 'limit' | 'market' | 'stopLimit' | 'stopMarket' {
  if (form.tab !== 'stop') return form.tab;
  return form.stopKind === 'limit' ? 'stopLimit' : 'stopMarket';
}

export const takesPrice = (form: TicketForm): boolean => form.tab === 'limit' || (form.tab === 'stop' && form.stopKind === 'limit');

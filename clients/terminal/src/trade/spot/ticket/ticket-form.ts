/** What a person has put into the order ticket, as text; nothing here knows what it means. */
export type TicketTab = 'limit' | 'market' | 'stop';
export const TICKET_TABS = ['limit', 'market', 'stop'] as const satisfies readonly TicketTab[];

export type SizeUnit = 'base' | 'quote';
/** What waits for a price: a stop, a take-profit, a stop that follows the price, or a pair of which one cancels the other. */
export const WAITS = ['stop', 'takeProfit', 'trailing', 'pair'] as const;
export type Waits = (typeof WAITS)[number];
/** What it becomes when its trigger price is reached. */
export type StopKind = 'limit' | 'market';
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export type TicketTimeInForce = (typeof TIMES_IN_FORCE)[number];

export interface TicketForm {
  readonly tab: TicketTab;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly trigger: string;
  readonly size: string;
  /** The size that was taken as the most: while it stands, as much of it is sent as there is money for then. */
  readonly most: string;
  readonly unit: SizeUnit;
  readonly waits: Waits;
  readonly stopKind: StopKind;
  /** Of a pair: the limit of its stop. */
  readonly legPrice: string;
  /** Of a trailing stop: how far the price turns back from its best, in per cent, and the price from which it follows. */
  readonly callback: string;
  readonly activation: string;
  /** What sells again what is bought. */
  readonly protection: 'on' | 'off';
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly timeInForce: TicketTimeInForce;
  readonly postOnly: 'on' | 'off';
}

export const EMPTY_TICKET: TicketForm = {
  tab: 'limit',
  side: 'buy',
  price: '',
  trigger: '',
  size: '',
  most: '',
  unit: 'base',
  waits: 'stop',
  stopKind: 'limit',
  legPrice: '',
  callback: '1',
  activation: '',
  protection: 'off',
  takeProfit: '',
  stopLoss: '',
  timeInForce: 'GTC',
  postOnly: 'off',
};

export type TicketField = 'price' | 'trigger' | 'size' | 'legPrice' | 'callback' | 'activation' | 'takeProfit' | 'stopLoss';

export const ORDER_KINDS = [
  'limit',
  'market',
  'stopLimit',
  'stopMarket',
  'takeProfitLimit',
  'takeProfitMarket',
  'trailing',
  'pair',
] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** The kind of order the ticket would send now. */
export function orderKind({ tab, waits, stopKind }: Pick<TicketForm, 'tab' | 'waits' | 'stopKind'>): OrderKind {
  if (tab !== 'stop') return tab;
  if (waits === 'trailing' || waits === 'pair') return waits;
  return stopKind === 'limit' ? `${waits}Limit` : `${waits}Market`;
}

/** A pair has one size for two orders, and the exchange takes no bound for it. */
export const isMost = (form: TicketForm): boolean => form.size !== '' && form.size === form.most && orderKind(form) !== 'pair';

/** Of a pair the price is that of the order that rests. */
export const takesPrice = (form: TicketForm): boolean => ['limit', 'stopLimit', 'takeProfitLimit', 'pair'].includes(orderKind(form));
export const takesTrigger = ({ tab, waits }: TicketForm): boolean => tab === 'stop' && waits !== 'trailing';
export const takesLegPrice = (form: TicketForm): boolean => orderKind(form) === 'pair' && form.stopKind === 'limit';

/** Only what buys has something to sell again. */
export const isProtectable = (form: TicketForm): boolean => form.side === 'buy' && !['trailing', 'pair'].includes(orderKind(form));

/** What a person has put into the ticket of contracts, as text; nothing here knows what it means. */
import type { PositionSideName, TriggerPriceType } from '@orrery/api';

export const CONTRACT_TABS = ['limit', 'market', 'trigger', 'trailing', 'twap'] as const;
export type ContractTab = (typeof CONTRACT_TABS)[number];
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export const TRIGGERED_BY = ['MARK_PRICE', 'LATEST_PRICE', 'INDEX_PRICE'] as const satisfies readonly TriggerPriceType[];

/** What protects is typed as a price, or in per cent of the order's price. */
export const PROTECTION_MODES = ['price', 'percent'] as const;
export type ProtectionMode = (typeof PROTECTION_MODES)[number];

export interface ContractForm {
  readonly tab: ContractTab;
  readonly side: 'buy' | 'sell';
  /** In hedge mode: whether the order opens a position or closes one. */
  readonly aim: 'open' | 'close';
  readonly price: string;
  readonly trigger: string;
  readonly triggeredBy: TriggerPriceType;
  /** Of a trailing order, in per cent: how far the price turns back from its best. */
  readonly callback: string;
  /** What a trigger order becomes. */
  readonly becomes: 'limit' | 'market';
  readonly size: string;
  /** The size that was taken as the most: while it stands, as much of it is sent as there is margin for then. */
  readonly most: string;
  readonly minutes: string;
  readonly timeInForce: (typeof TIMES_IN_FORCE)[number];
  readonly postOnly: 'on' | 'off';
  readonly reduceOnly: 'on' | 'off';
  readonly protection: 'on' | 'off';
  readonly protectionMode: ProtectionMode;
  readonly takeProfit: string;
  readonly stopLoss: string;
}

export const EMPTY_CONTRACT_FORM: ContractForm = {
  tab: 'limit',
  side: 'buy',
  aim: 'open',
  price: '',
  trigger: '',
  triggeredBy: 'MARK_PRICE',
  callback: '1',
  becomes: 'limit',
  size: '',
  most: '',
  minutes: '30',
  timeInForce: 'GTC',
  postOnly: 'off',
  reduceOnly: 'off',
  protection: 'off',
  protectionMode: 'price',
  takeProfit: '',
  stopLoss: '',
};

/** The id of the field of the size. */
export const CONTRACT_SIZE_FIELD = 'contract-size';

export type ContractField = 'price' | 'trigger' | 'callback' | 'size' | 'minutes' | 'takeProfit' | 'stopLoss';

export const takesPrice = ({ tab, becomes }: ContractForm): boolean => tab === 'limit' || (tab === 'trigger' && becomes === 'limit');

/** The position that an order is of. */
export function positionSideOf({ side, aim }: Pick<ContractForm, 'side' | 'aim'>, mode: 'ONE_WAY' | 'HEDGE'): PositionSideName {
  if (mode === 'ONE_WAY') return 'BOTH';
  return (side === 'buy') === (aim === 'open') ? 'LONG' : 'SHORT';
}

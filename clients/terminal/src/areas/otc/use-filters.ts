/** What a person looks for among advertisements: in the address, so that a link shows it to somebody else. */
import { OTC_CURRENCIES } from '@orrery/api';
import type { CallQuery, OtcCurrency, OtcPaymentKind } from '@orrery/api';
import { useChoiceInUrl, useWordsInUrl } from '../../kit/ui/in-url.ts';
import type { TakerSide } from './otc-total.ts';
import { PAYMENT_KINDS } from './use-otc.ts';

/** The paged list that begins again with each other choice. */
export const ADVERTISEMENTS = 'otcAdvertisements';
const lists = [ADVERTISEMENTS];

const SIDES = ['BUY', 'SELL'] as const satisfies readonly TakerSide[];
export const ANY_KIND = 'ALL';
type Kind = OtcPaymentKind | typeof ANY_KIND;
const KINDS: readonly Kind[] = [ANY_KIND, ...PAYMENT_KINDS];
/** Of an order: above the cents there are at most 13 digits. */
export const TOTAL = /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/;
const FROM = ['ALL', 'MERCHANTS'] as const;

export interface Filters {
  /** Of the person who looks: to buy, or to sell. */
  readonly side: TakerSide;
  readonly coin: string;
  readonly currency: OtcCurrency;
  /** Of the order, decimal text; empty where any will do. */
  readonly total: string;
  readonly kind: Kind;
  readonly from: (typeof FROM)[number];
}

type Changes = { readonly [Name in keyof Filters]: (value: Filters[Name]) => void };

export function useFilters(): readonly [Filters, Changes] {
  const [side, setSide] = useChoiceInUrl({ name: 'side', values: SIDES, usual: 'BUY', lists });
  const [coin, setCoin] = useWordsInUrl({ name: 'coin', pattern: /^[A-Z]{2,10}$/, usual: 'USDC', lists });
  const [currency, setCurrency] = useChoiceInUrl({ name: 'currency', values: OTC_CURRENCIES, usual: 'cny', lists });
  const [total, setTotal] = useWordsInUrl({ name: 'amount', pattern: TOTAL, usual: '', lists });
  const [kind, setKind] = useChoiceInUrl({ name: 'payment', values: KINDS, usual: ANY_KIND, lists });
  const [from, setFrom] = useChoiceInUrl({ name: 'from', values: FROM, usual: 'ALL', lists });
  return [
    { side, coin, currency, total, kind, from },
    { side: setSide, coin: setCoin, currency: setCurrency, total: setTotal, kind: setKind, from: setFrom },
  ];
}

/** Advertisers stand on the other side. */
export const queryOf = ({ side, coin, currency, total, kind, from }: Filters): CallQuery['otcAdvertisements'] => ({
  side: side === 'BUY' ? 'SELL' : 'BUY',
  coin,
  currency,
  ...(/[1-9]/.test(total) && { total }),
  ...(kind !== ANY_KIND && { paymentKind: kind }),
  ...(from === 'MERCHANTS' && { merchants: 'ONLY' }),
});

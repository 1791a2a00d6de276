/** What an advertisement will bring, and what is held for it. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Fact, Facts } from '../../kit/ui/page.tsx';
import type { FormState } from '../../kit/ui/use-form.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useData } from '../../platform/data/use-data.ts';
import { coinName } from '../balances/coin-name.ts';
import { precisionOf, useCoins } from '../balances/use-coins.ts';
import { floatingPrice, wholeTotal } from './advertisement-form.ts';
import type { AdvertisementValues } from './advertisement-form.ts';
import { useOtcWords } from './use-otc.ts';

/** A market price is read for a floating one alone. */
const MARKET_STALE_MS = 30_000;

type Values = Pick<AdvertisementValues, 'side' | 'coin' | 'currency' | 'amount' | 'priceType' | 'price' | 'premium' | 'direction'>;

function useWorth(values: Values): string {
  const text = useText();
  const words = useOtcWords();
  const decimals = precisionOf(useCoins(), values.coin);
  const isFloating = values.priceType === 'FLOATING';
  const { value: market } = useData({ name: 'assistPrices', of: 'everybody', staleMs: MARKET_STALE_MS, when: isFloating });
  const assist = market?.find(({ coin, currency }) => coin === values.coin && currency === values.currency)?.price;
  const price = isFloating ? floatingPrice(assist ?? '', values) : values.price;
  const total = wholeTotal(values, { price: price ?? '', decimals });
  if (total === undefined) return UNKNOWN;
  const sum = { total: words.number(total), currency: text(`otcName.currency.${values.currency}`) };
  return text(isFloating ? 'otc.ad.ifAllNow' : 'otc.ad.ifAll', sum);
}

export function AdvertisementReceipt({ form }: { readonly form: FormState<AdvertisementValues> }): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const value = <Name extends keyof AdvertisementValues>(name: Name): AdvertisementValues[Name] => form.field(name).value;
  const [side, coin, amount, premium] = [value('side'), value('coin'), value('amount'), value('premium')];
  const worth = useWorth({
    side,
    coin,
    amount,
    premium,
    currency: value('currency'),
    priceType: value('priceType'),
    price: value('price'),
    direction: value('direction'),
  });
  const held = amount === '' ? UNKNOWN : text('otc.ad.heldSell', { amount: words.number(amount), coin: coinName(coin) });
  return (
    <section aria-label={text('otc.ad.receipt')} aria-live="polite" className="-mx-4 border-y border-line bg-raised">
      <Facts>
        <Fact term={text(side === 'SELL' ? 'otc.ad.youReceive' : 'otc.ad.youPay')}>
          <span className="font-semibold">{worth}</span>
        </Fact>
        <Fact term={text('otc.ad.held')}>{side === 'BUY' ? text('otc.ad.heldBuy') : held}</Fact>
      </Facts>
    </section>
  );
}

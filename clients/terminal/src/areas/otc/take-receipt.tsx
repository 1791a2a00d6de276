/** What follows when an advertisement is taken, before it is: the price, the time to pay, how, what is held. */
import type { OtcAdvertisement } from '@orrery/api';
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Fact, Facts } from '../../kit/ui/page.tsx';
import { coinName } from '../balances/coin-name.ts';
import { takerSideOf } from './otc-total.ts';
import type { Figures } from './otc-total.ts';
import { useOtcWords, useTrialMinute } from './use-otc.ts';

const SECOND_MS = 1_000;

/** `15 minutes`; where a minute is no minute, how long it is in all. */
export function useWindowWords(): (minutes: number) => string {
  const text = useText();
  const seconds = useTrialMinute();
  return (minutes) =>
    seconds === undefined
      ? text('otc.windowMinutes', { minutes })
      : text('otc.windowTrial', { minutes, span: formatSpan(minutes * seconds * SECOND_MS) });
}

interface TakeReceiptProps {
  readonly advertisement: OtcAdvertisement;
  readonly figures: Figures;
}

export function TakeReceipt({ advertisement, figures: { amount } }: TakeReceiptProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const windowOf = useWindowWords();
  const side = takerSideOf(advertisement);
  const { price, currency, coin, payWindowMinutes, paymentKinds, conditions } = advertisement;
  const name = coinName(coin);
  return (
    <section aria-label={text('otc.receipt')} className="-mx-4 border-y border-line bg-raised">
      <Facts>
        <Fact term={text('otc.price')}>
          {price === null
            ? text('otc.ads.failedPrice')
            : text('otc.priceFixed', { price: words.number(price), currency: text(`otcName.currency.${currency}`), coin: name })}
        </Fact>
        <Fact term={text('otc.window')}>{windowOf(payWindowMinutes)}</Fact>
        <Fact term={text('otc.paidBy')}>{words.kinds(paymentKinds)}</Fact>
        {amount !== undefined && amount !== '' && (
          <Fact term={text('otc.escrow')}>{text(`otc.escrowOf.${side}`, { amount: words.number(amount), coin: name })}</Fact>
        )}
        {conditions !== null && (
          <Fact term={text('otc.conditions')}>
            <span className="whitespace-pre-line">{conditions}</span>
          </Fact>
        )}
      </Facts>
    </section>
  );
}

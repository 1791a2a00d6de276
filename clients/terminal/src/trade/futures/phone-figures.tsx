/** What a phone says of a contract: the price that counts for margin, the funding that is predicted, the volume of a day. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { PhoneFigure } from '../shared/market/phone-market-bar.tsx';
import { useNumbers } from '../../market/use-numbers.ts';
import { Funding } from './contract-figures.tsx';
import { useContract, useQuote } from '../../market/use-contracts.ts';

export function ContractPhoneFigures(): ReactElement {
  const text = useText();
  const format = useFormat();
  const market = useContract();
  const numbers = useNumbers(market);
  const quote = useQuote();
  return (
    <>
      <PhoneFigure name={text('futures.market.mark')}>{numbers.priceOf(quote?.m)}</PhoneFigure>
      <PhoneFigure name={text('futures.market.funding')}>
        <Funding />
      </PhoneFigure>
      <PhoneFigure name={text('trade.market.turnover')}>
        {format.number(quote?.v, { decimals: market.turnoverDecimals })} {market.valueName}
      </PhoneFigure>
    </>
  );
}

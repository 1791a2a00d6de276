/** What a person should know of an order before it meets the book: how much worse its average is, and what of it would not be filled. */
import { NO_LOTS } from '@orrery/units';
import type { Lots } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { isSlipping } from './contract-walk.ts';
import type { ContractWalk } from './contract-walk.ts';

interface WalkWordsProps {
  readonly market: ContractMarket;
  readonly walk: ContractWalk;
  /** Of what the book does not take now, this rests at the limit. */
  readonly rests: Lots;
}

export function WalkWords({ market, walk, rests }: WalkWordsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const parts = { size: numbers.size(walk.filled), rest: numbers.size(walk.rest), coin: market.sizeName };
  return (
    <>
      {isSlipping(walk) && (
        <p className="text-sm text-warn">{text('orderForm.slippage', { percent: format.number(String(walk.slippage / 100)) })}</p>
      )}
      {walk.rest > NO_LOTS && rests === NO_LOTS && <p className="text-sm text-warn">{text('orderForm.remains', parts)}</p>}
      {walk.filled > NO_LOTS && rests > NO_LOTS && <p className="text-sm text-fg2">{text('orderForm.rests', parts)}</p>}
    </>
  );
}

/** What protects parts of a position: it stays beside what is set for the whole of it. */
import type { Position, ProfitStopTerms } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';

export interface ProtectedPartsProps {
  readonly market: ContractMarket;
  readonly position: Pick<Position, 'symbol' | 'positionSide'>;
  readonly stops: readonly ProfitStopTerms[];
}

export function ProtectedParts({ market, position, stops }: ProtectedPartsProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const parts = stops.filter(
    ({ symbol, positionSide, origQty }) => symbol === position.symbol && positionSide === position.positionSide && origQty !== null,
  );
  if (parts.length === 0) return null;
  return (
    <div className="text-sm text-fg2">
      <p>{text('futures.protect.parts')}</p>
      <ul className="num">
        {parts.map(({ profitId, triggerProfitPrice, triggerStopPrice, origQty }) => (
          <li key={profitId}>
            {text('futures.protect.part', {
              kind: text(`futures.ticket.${triggerProfitPrice === null ? 'stopLoss' : 'takeProfit'}`),
              price: format.number(triggerProfitPrice ?? triggerStopPrice ?? undefined),
              size: format.number(origQty ?? undefined),
              coin: market.sizeName,
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

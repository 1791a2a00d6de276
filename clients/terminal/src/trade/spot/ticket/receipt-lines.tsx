/** What the order would do: value, fee and what is left, before it is sent. Same lines for every order, so that nothing jumps. */
import type { ReactElement, ReactNode } from 'react';
import { feeText } from '../../../areas/balances/fee-text.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import type { Receipt } from './order-receipt.ts';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import { typeOf } from './order-terms.ts';
import type { TicketForm } from './ticket-form.ts';

function Line({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-fg2">{name}</dt>
      <dd className="min-w-0 truncate text-end text-fg">{children}</dd>
    </div>
  );
}

export function ReceiptLines({ form, receipt }: { readonly form: TicketForm; readonly receipt: Receipt }): ReactElement {
  const text = useText();
  const format = useFormat();
  const market = useMarket();
  const amount = (value: string | undefined, coin: string, decimals: number): string =>
    value === undefined ? format.number(undefined) : `${format.number(value, { decimals })} ${coin}`;
  const freeDecimals = form.side === 'buy' ? 2 : market.sizePrecision;
  const isHeldBeyond = form.side === 'buy' && form.tab === 'stop' && typeOf(form) === 'stopMarket' && receipt.spent !== undefined;
  return (
    <dl className="flex flex-col gap-1.5 text-sm">
      {form.tab !== 'stop' && (
        <Line
          name={
            <Explained
              content={text('trade.ticket.averageExplained', { worst: format.number(receipt.worst, { decimals: market.pricePrecision }) })}
            >
              {text('trade.ticket.average')}
            </Explained>
          }
        >
          {amount(receipt.average, market.quoteName, market.pricePrecision)}
        </Line>
      )}
      {form.unit === 'quote' && <Line name={text('trade.size')}>{amount(receipt.size, market.baseName, market.sizePrecision)}</Line>}
      <Line name={text('trade.ticket.value')}>{amount(receipt.value, market.quoteName, 2)}</Line>
      <Line
        name={
          <Explained
            content={text('trade.ticket.feeExplained', {
              taker: percentOf(market.terms.takerFeePpm),
              maker: percentOf(market.terms.makerFeePpm),
            })}
          >
            {text('trade.ticket.fee')}
          </Explained>
        }
      >
        {receipt.fee === undefined ? format.number(undefined) : `${feeText(receipt.fee, receipt.feeAsset, format)} ${receipt.feeAsset}`}
      </Line>
      <Line name={text('trade.ticket.freeAfter')}>
        {receipt.freeAfter === undefined ? (
          format.number(undefined)
        ) : (
          <>
            <span className="text-fg3">{format.own(receipt.freeBefore, { decimals: freeDecimals })} → </span>
            {format.own(receipt.freeAfter, { decimals: freeDecimals })} {receipt.freeAsset}
          </>
        )}
      </Line>
      {isHeldBeyond && (
        <p className="text-fg2">
          {text('trade.ticket.stopHolds', {
            amount: amount(receipt.spent, receipt.freeAsset, 2),
            rate: percentOf(market.terms.marketBandPpm),
          })}
        </p>
      )}
    </dl>
  );
}

/** Confirm Order: what is about to be sent, once more, in the words of the specification. */
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { coinDecimals } from '../../../areas/balances/coin-decimals.ts';
import { feeText } from '../../../areas/balances/fee-text.ts';
import { shownName } from '../../../market/market.ts';
import { multiplyDecimals } from '../../../kit/format/decimal.ts';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { confirmationSetting } from './confirmation-setting.ts';
import type { OrderDraft } from './order-draft.ts';
import type { Receipt } from './order-receipt.ts';

export interface OrderQuestion {
  readonly order: OrderDraft;
  readonly notBestPriceRate: string | undefined;
  /** As the ticket showed it when the order was asked about. */
  readonly receipt: Receipt;
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-4 py-1.5">
      <dt className="text-fg2">{name}</dt>
      <dd className="text-end font-medium">{children}</dd>
    </div>
  );
}

const KINDS = {
  limit: 'trade.tables.type.LIMIT',
  market: 'trade.tables.type.MARKET',
  stopLimit: 'trade.tables.type.STOP_LIMIT',
  stopMarket: 'trade.tables.type.STOP_MARKET',
  takeProfitLimit: 'trade.tables.type.TAKE_PROFIT_LIMIT',
  takeProfitMarket: 'trade.tables.type.TAKE_PROFIT_MARKET',
  trailing: 'trade.tables.type.TRAILING_STOP_MARKET',
  pair: 'spotForm.pair',
} as const satisfies Record<OrderDraft['kind'], MessageId>;

/** A ratio as per cent, exactly. */
const percentOf = (ratio: string): string => `${multiplyDecimals(ratio, '100')}%`;

function Lines({ order }: { readonly order: OrderDraft }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [base = '', quote = ''] = order.symbol.split('_').map(shownName);
  const perBase = (price: string): string => `${format.number(price)} ${quote} / ${base}`;
  const priced = (name: MessageId, price: string | undefined): ReactElement | null =>
    price === undefined ? null : <Line name={text(name)}>{perBase(price)}</Line>;
  const isPair = order.kind === 'pair';
  const amount = order.size === undefined ? `${format.number(order.funds)} ${quote}` : `${format.number(order.size)} ${base}`;
  return (
    <dl>
      <Line name={text('confirm.action')}>
        <span className={order.side === 'buy' ? 'text-up' : 'text-down'}>{text(order.side === 'buy' ? 'trade.buy' : 'trade.sell')}</span>
      </Line>
      <Line name={text('spotForm.type')}>{text(KINDS[order.kind])}</Line>
      <Line name={text('confirm.size')}>{order.max === true ? text('trade.ticket.upTo', { size: amount }) : amount}</Line>
      {order.callback !== undefined && <Line name={text('spotForm.callback')}>{percentOf(order.callback)}</Line>}
      {priced('confirm.activation', order.activation)}
      {priced(isPair ? 'trade.ticket.pairStop' : 'confirm.trigger', order.trigger)}
      {priced('spotForm.legPrice', order.legPrice)}
      <Line name={text(isPair ? 'trade.ticket.pairPrice' : 'confirm.price')}>
        {order.price === undefined ? text('confirm.marketPrice') : perBase(order.price)}
      </Line>
      {priced('spotForm.takeProfit', order.takeProfit)}
      {priced('spotForm.stopLoss', order.stopLoss)}
    </dl>
  );
}

/** What the order is expected to do, by the book as it was when the question came up. */
function Outcome({ order, receipt }: Pick<OrderQuestion, 'order' | 'receipt'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const [, quote = ''] = order.symbol.split('_').map(shownName);
  const { average, value, fee, feeAsset, freeAfter, freeAsset } = receipt;
  return (
    <dl className="border-t border-line pt-1.5">
      {average !== undefined && (
        <Line name={text('trade.ticket.average')}>
          {format.number(average)} {quote}
        </Line>
      )}
      {value !== undefined && (
        <Line name={text('trade.ticket.value')}>
          {format.number(value, { decimals: 2 })} {quote}
        </Line>
      )}
      {fee !== undefined && (
        <Line name={text('trade.ticket.fee')}>
          {feeText(fee, feeAsset, format)} {feeAsset}
        </Line>
      )}
      {freeAfter !== undefined && (
        <Line name={text('trade.ticket.freeAfter')}>
          {format.own(freeAfter, { decimals: coinDecimals(freeAsset) })} {freeAsset}
        </Line>
      )}
    </dl>
  );
}

export function ConfirmOrder({ order, notBestPriceRate, receipt, resolve, close }: OrderQuestion & Dialogue<'confirmed'>): ReactElement {
  const text = useText();
  const set = useSettings((settings) => settings.set);
  const [isLast, setLast] = useState(false);
  const confirm = (): void => {
    if (isLast) set(confirmationSetting(order.kind), false);
    resolve('confirmed');
  };
  return (
    <Dialog open onClose={close} title={text('confirm.title')} width="narrow">
      <div className="flex flex-col gap-3">
        <Lines order={order} />
        <Outcome order={order} receipt={receipt} />
        {notBestPriceRate !== undefined && (
          <Notice tone="warn">{text(order.side === 'buy' ? 'confirm.warnBid' : 'confirm.warnAsk', { rate: notBestPriceRate })}</Notice>
        )}
        <p className="text-sm text-fg2">{text('confirm.noGas')}</p>
        <Checkbox value={isLast} onChange={setLast}>
          {text('confirm.again')}
        </Checkbox>
        <Button kind={order.side === 'buy' ? 'up' : 'down'} size="large" autoFocus onClick={confirm} className="w-full">
          {text('confirm.confirm')}
        </Button>
      </div>
    </Dialog>
  );
}

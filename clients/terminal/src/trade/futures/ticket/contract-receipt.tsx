/** What the order would do to the position: value, fee, margin and liquidation price, before and after, by the rules of the engine. */
import type { Position } from '@orrery/api';
import { NO_TICKS, printAtoms } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { CirclePlus } from 'lucide-react';
import type { ReactElement } from 'react';
import { feeText } from '../../../areas/balances/fee-text.ts';
import { wallets } from '../../../areas/balances/wallets.ts';
import { availableIn, isPositive, useBalances } from '../../../areas/balances/use-balances.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { openTransfer } from '../../../areas/onboarding/actions.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { FigureLine, Moved } from '../positions/figure-line.tsx';
import { liquidationDistance } from '../positions/liquidation-distance.ts';
import { backingOf, holdingOf, outlookOf } from '../positions/position-holding.ts';
import type { InContracts, Outlook } from '../positions/position-holding.ts';
import type { ContractReading } from './contract-draft.ts';
import { outlookAfter } from '../positions/projection.ts';
import { useSettleText } from '../positions/use-settle-text.ts';

export interface ReceiptProps extends InContracts {
  readonly market: ContractMarket;
  readonly reading: ContractReading;
  /** The position that the order is of. */
  readonly position: Position | undefined;
  readonly mark: Ticks;
}

interface Change {
  readonly before: Outlook;
  /** `undefined` while size or price are missing. */
  readonly after: Outlook | undefined;
}

function changeOf({ market, reading, position, mark, ...held }: ReceiptProps): Change | undefined {
  const backing = position && backingOf(position, held, market);
  if (position === undefined || backing === undefined) return undefined;
  const { margin: terms } = market;
  const holding = holdingOf(position, market);
  const before = outlookOf(holding, backing, terms, mark);
  const { trade, expected } = reading;
  if (trade === undefined || expected === undefined) return { before, after: undefined };
  return { before, after: outlookAfter(holding, backing, { trade: { ...trade, fee: expected.fee }, mark, terms }) };
}

/** A sign beside the amount; in words where nothing is there, but something could be moved here: without it no order is possible. */
function Transfer({ market, isEmpty }: { readonly market: ContractMarket; readonly isEmpty: boolean }): ReactElement {
  const text = useText();
  const { wallet, info } = market;
  const coin = info.settleCoin;
  const name = text('futures.receipt.transfer', { wallet: text(wallets[wallet].label) });
  const { value: rows } = useBalances();
  const isWanted = isEmpty && isPositive(availableIn(rows, { wallet: 'spot', coin }));
  const transfer = (): void => void openTransfer({ from: 'spot', to: wallet, coin });
  if (isWanted)
    return (
      <Button size="small" className="ms-1" onClick={transfer}>
        {name}
      </Button>
    );
  return (
    <IconButton label={name} className="-my-1.5 -me-1.5 size-6" onClick={transfer}>
      <CirclePlus size={14} />
    </IconButton>
  );
}

/** What the order is expected to cost: in the ticket, and where it is confirmed. */
export function CostFigures({ market, reading }: Pick<ReceiptProps, 'market' | 'reading'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const say = useSettleText(market);
  const numbers = useNumbers(market);
  const { settleName, settleDecimals, info, terms } = market;
  const { value, fee, average = NO_TICKS, walk } = reading.expected ?? {};
  return (
    <>
      <FigureLine name={text('orderForm.average')}>{numbers.price(walk === undefined ? NO_TICKS : average)}</FigureLine>
      <FigureLine name={text('trade.ticket.value')}>{say.money(value)}</FigureLine>
      <FigureLine
        name={
          <Explained
            content={text('trade.ticket.feeExplained', { taker: percentOf(terms.takerFeePpm), maker: percentOf(terms.makerFeePpm) })}
          >
            {text('trade.ticket.fee')}
          </Explained>
        }
      >
        {fee === undefined
          ? format.number(undefined)
          : `${feeText(printAtoms(fee, settleDecimals), info.settleCoin, format)} ${settleName}`}
      </FigureLine>
    </>
  );
}

/** What the order makes of its position. */
export function PositionFigures(props: ReceiptProps): ReactElement {
  const text = useText();
  const say = useSettleText(props.market);
  const change = changeOf(props);
  return (
    <>
      <FigureLine name={text('futures.receipt.margin')}>
        <Moved from={say.money(change?.before.margin)} to={change?.after && say.money(change.after.margin)} />
      </FigureLine>
      <FigureLine name={text('futures.receipt.liquidation')}>
        <Moved from={say.liquidation(change?.before.liquidation)} to={change?.after && say.liquidation(change.after.liquidation)} />
      </FigureLine>
    </>
  );
}

export function ContractReceipt(props: ReceiptProps): ReactElement {
  const { market, account, mark } = props;
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const liquidation = changeOf(props)?.after?.liquidation ?? NO_TICKS;
  const distance = liquidationDistance(mark, liquidation);
  return (
    <dl className="flex flex-col gap-1.5 text-sm">
      <CostFigures {...props} />
      <PositionFigures {...props} />
      <FigureLine name={text('futures.receipt.available')} whole>
        <span className="whitespace-nowrap">
          {account?.availableBalance == null
            ? format.number(undefined)
            : `${format.own(account.availableBalance, { decimals: market.valueDecimals })} ${market.settleName}`}
        </span>
        {market.info.underlyingType !== 'PRACTICE' && (
          <Transfer market={market} isEmpty={account?.availableBalance != null && !isPositive(account.availableBalance)} />
        )}
      </FigureLine>
      {distance !== undefined && (
        <p className="text-sm text-fg2">
          {text(distance.way === 'fall' ? 'futures.distance.fall' : 'futures.distance.rise', {
            percent: distance.percent,
            price: numbers.price(liquidation),
          })}
        </p>
      )}
    </dl>
  );
}

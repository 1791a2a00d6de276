/** What the order would do to the position: value, fee, margin and liquidation price, before and after, by the rules of the engine. */
import type { Position } from '@orrery/api';
import { NO_TICKS, printAtoms } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import { CirclePlus } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { feeText } from '../../../areas/balances/fee-text.ts';
import { wallets } from '../../../areas/balances/wallets.ts';
import { availableIn, isPositive, useBalances } from '../../../areas/balances/use-balances.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { openTransfer } from '../../../areas/onboarding/actions.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { liquidationDistance } from '../positions/liquidation-distance.ts';
import { backingOf, holdingOf, outlookOf } from '../positions/position-holding.ts';
import type { InContracts, Outlook } from '../positions/position-holding.ts';
import type { ContractReading } from './contract-draft.ts';
import { outlookAfter } from '../positions/projection.ts';

interface ReceiptProps extends InContracts {
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
  const { trade, fee } = reading;
  if (trade === undefined || fee === undefined) return { before, after: undefined };
  return { before, after: outlookAfter(holding, backing, { trade: { ...trade, fee }, mark, terms }) };
}

interface LineProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
  /** Nothing of it is cut off: there is a button in it. */
  readonly whole?: true;
}

function Line({ name, children, whole }: LineProps): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-fg2">{name}</dt>
      <dd className={classes('min-w-0 text-end text-fg', whole ? 'flex items-center gap-1' : 'truncate')}>{children}</dd>
    </div>
  );
}

/** What is now stands back; what will be is read. */
function Moved({ from, to }: { readonly from: string; readonly to: string | undefined }): ReactElement {
  return to === undefined ? (
    <>{from}</>
  ) : (
    <>
      <span className="text-fg3">{from} → </span>
      {to}
    </>
  );
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

export function ContractReceipt(props: ReceiptProps): ReactElement {
  const { market, reading, account, mark } = props;
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const change = changeOf(props);
  const { settleName, settleDecimals } = market;
  const { valueDecimals: decimals } = market;
  const money = (amount: Atoms | undefined): string =>
    amount === undefined ? format.number(undefined) : `${format.number(printAtoms(amount, settleDecimals), { decimals })} ${settleName}`;
  const liquidationText = (standing: Outlook | undefined): string =>
    standing?.liquidation === NO_TICKS ? text('futures.liquidation.none') : numbers.price(standing?.liquidation ?? NO_TICKS);
  const liquidation = change?.after?.liquidation ?? NO_TICKS;
  const distance = liquidationDistance(mark, liquidation);
  return (
    <dl className="flex flex-col gap-1.5 text-sm">
      <Line name={text('trade.ticket.value')}>{money(reading.value)}</Line>
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
        {reading.fee === undefined
          ? format.number(undefined)
          : `${feeText(printAtoms(reading.fee, settleDecimals), market.info.settleCoin, format)} ${settleName}`}
      </Line>
      <Line name={text('futures.receipt.margin')}>
        <Moved from={money(change?.before.margin)} to={change?.after && money(change.after.margin)} />
      </Line>
      <Line name={text('futures.receipt.liquidation')}>
        <Moved from={liquidationText(change?.before)} to={change?.after && liquidationText(change.after)} />
      </Line>
      <Line name={text('futures.receipt.available')} whole>
        <span className="whitespace-nowrap">
          {account?.availableBalance == null
            ? format.number(undefined)
            : `${format.own(account.availableBalance, { decimals })} ${settleName}`}
        </span>
        {market.info.underlyingType !== 'PRACTICE' && (
          <Transfer market={market} isEmpty={account?.availableBalance != null && !isPositive(account.availableBalance)} />
        )}
      </Line>
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

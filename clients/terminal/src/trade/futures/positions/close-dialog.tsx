/** Closes a position, whole or in part, at the market or by a limit: what that would bring is said before. */
import type { Position } from '@orrery/api';
import { initialMargin, profitOf, releasedCost } from '@orrery/rules';
import { divFloor, lots, NO_LOTS, NO_TICKS, parseLots, printLots } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Button } from '../../../kit/ui/button.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../../kit/ui/form-dialog.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { useForm } from '../../../kit/ui/use-form.ts';
import type { FormState } from '../../../kit/ui/use-form.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { useDepth } from '../../../platform/data/streams/use-streams.ts';
import { bandIssue, issueOf, readPrice, readSize, valueOf } from '../../shared/orders/order-rules.ts';
import { closableIssue } from '../../shared/orders/position-rules.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import { request } from '../account.ts';
import { expectOrder } from './expected-order.ts';
import type { ExpectedOrder } from './expected-order.ts';
import { FigureLine } from './figure-line.tsx';
import { absolute, directionOf, holdingOf } from './position-holding.ts';
import { atOwnField } from './send-form.ts';
import { usePositionNow } from './use-position-now.ts';
import type { PositionNow } from './use-position-now.ts';
import { useSettleText } from './use-settle-text.ts';
import { WalkWords } from './walk-words.tsx';

/** The whole position is an intent: its size is that at which the exchange closes it. A part has the size that was entered. */
const schema = Type.Object({
  type: Type.Enum(['market', 'limit']),
  price: Type.String(),
  extent: Type.Enum(['whole', 'part']),
  size: Type.String(),
});
type CloseValues = Static<typeof schema>;

const WHOLE = 100;
const SHARES = [25, 50, 75, WHOLE] as const;
const ID_BYTES = 16;
const HUNDRED = 100n;

/** At the market all of it; by a limit what no other order that rests to reduce it covers. */
const closableOf = ({ positionSize, availableCloseSize }: Position, { sizePrecision }: ContractMarket, type: CloseValues['type']): Lots =>
  parseLots(type === 'market' ? absolute(positionSize) : availableCloseSize, sizePrecision) ?? NO_LOTS;

const shareOf = (whole: Lots, percent: number): Lots => lots(Number(divFloor(BigInt(whole) * BigInt(percent), HUNDRED)));

interface Closing {
  readonly size: Lots;
  /** By a limit. */
  readonly price: Ticks | undefined;
}

interface Outcome extends ExpectedOrder {
  readonly profit: Atoms;
  /** The margin that the closed part was opened with. */
  readonly invested: Atoms;
}

/** At its limit, by the book where it is known, else at the mark. */
function useOutcome({ position, mark }: PositionNow, market: ContractMarket, { size, price: limit }: Closing): Outcome | undefined {
  const depth = useDepth().value;
  const holding = holdingOf(position, market);
  if (holding === undefined || size === NO_LOTS || size > holding.size || limit === NO_TICKS) return undefined;
  const side = holding.direction === 'long' ? 'sell' : 'buy';
  const levels = depth?.symbol === market.symbol ? (side === 'buy' ? depth.asks : depth.bids) : undefined;
  const expected = expectOrder({ market, side, size, levels, mark, limit, timeInForce: limit === undefined ? 'IOC' : 'GTC' });
  if (expected === undefined || expected.size === NO_LOTS) return undefined;
  const cost = releasedCost(holding.cost, expected.size, holding.size);
  return {
    ...expected,
    profit: profitOf(holding.direction, cost, expected.value, market.margin.payoff),
    invested: initialMargin(cost, position.leverage),
  };
}

interface OutcomeProps {
  readonly now: PositionNow;
  readonly market: ContractMarket;
  readonly closing: Closing;
}

function OutcomeLines({ now, market, closing }: OutcomeProps): ReactElement {
  const text = useText();
  const numbers = useNumbers(market);
  const say = useSettleText(market);
  const outcome = useOutcome(now, market, closing);
  const walk = outcome?.walk;
  const isAtMark = closing.price === undefined && walk === undefined;
  return (
    <>
      <dl className="flex flex-col gap-1.5 text-sm">
        {closing.price === undefined && (
          <FigureLine name={text(isAtMark ? 'orderForm.averageAtMark' : 'orderForm.average')}>
            {numbers.price(outcome?.average ?? NO_TICKS)}
          </FigureLine>
        )}
        <FigureLine name={text('orderForm.profit')}>{say.profit(outcome?.profit, outcome?.invested)}</FigureLine>
        <FigureLine name={text('orderForm.fee')}>{say.money(outcome?.fee)}</FigureLine>
      </dl>
      {walk !== undefined && <WalkWords market={market} walk={walk} rests={outcome?.rests ?? NO_LOTS} />}
    </>
  );
}

export interface CloseDialogProps extends Dialogue<true> {
  readonly market: ContractMarket;
  readonly position: Position;
}

type CloseForm = FormState<CloseValues>;

/** What closes the whole position has no size: more of it may be gone by then, or less. */
function orderOf({ type, price, extent, size }: CloseValues, { market, position: opened }: CloseDialogProps) {
  const { positionSide } = opened;
  return {
    symbol: market.wire,
    orderSide: directionOf(opened) === 'long' ? 'SELL' : 'BUY',
    positionSide,
    orderType: type === 'market' ? 'MARKET' : 'LIMIT',
    ...(extent === 'whole'
      ? { closePosition: true }
      : { origQty: canonical(size), unit: market.lotUnit, ...(positionSide === 'BOTH' && { reduceOnly: true }) }),
    ...(type === 'limit' && { price: canonical(price) }),
  } as const;
}

function useCloseForm(props: CloseDialogProps, { position, mark }: PositionNow): CloseForm {
  const { market, position: opened, resolve } = props;
  const by = useActor();
  const [clientOrderId] = useState(() => randomHex(ID_BYTES));
  const side = directionOf(opened) === 'long' ? 'sell' : 'buy';
  return useForm({
    schema,
    initial: { type: 'market', price: opened.markPrice ?? '', extent: 'whole', size: '' },
    rules({ type, price, extent, size }) {
      const closable = closableOf(position, market, type);
      const [at, counted] = [readPrice(price, market), extent === 'whole' ? closable : readSize(size, market)];
      const [limit, closing] = [valueOf(at), valueOf(counted)];
      const wrongPrice = issueOf(at) ?? (limit && bandIssue(limit, side, mark, market));
      const wrongSize = issueOf(counted) ?? (closing && closableIssue(closing, closable, market));
      return {
        ...(type === 'limit' && { price: price === '' ? { message: 'trade.issue.missingPrice' } : wrongPrice }),
        size:
          counted === undefined
            ? { message: 'trade.issue.missingSize' }
            : counted === NO_LOTS
              ? closableIssue(lots(1), NO_LOTS, market)
              : wrongSize,
      };
    },
    async send(values) {
      await atOwnField(request('createFuturesOrder', { ...orderOf(values, props), clientOrderId }, by));
      resolve(true);
    },
  });
}

interface SizeProps {
  readonly form: CloseForm;
  readonly market: ContractMarket;
  readonly closable: Lots;
}

/** As it is typed, or as much as there is. */
const shownSize = (form: CloseForm, closable: Lots, { sizePrecision }: ContractMarket): string =>
  form.field('extent').value === 'whole' ? printLots(closable, sizePrecision) : form.field('size').value;

function SizeWithShares({ form, market, closable }: SizeProps): ReactElement {
  const { sizePrecision, sizeName: coin } = market;
  const text = useText();
  const format = useFormat();
  const size = form.field('size');
  const extent = form.field('extent');
  const take = (part: string): void => {
    extent.onChange('part');
    size.onChange(part);
  };
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        {...size}
        value={shownSize(form, closable, market)}
        onChange={take}
        label={text('trade.size')}
        aside={<Unit>{coin}</Unit>}
        hint={text('futures.close.available', { size: format.number(printLots(closable, sizePrecision)), coin })}
      />
      <div className="grid grid-cols-4 gap-1.5">
        {SHARES.map((percent) => (
          <Button
            key={percent}
            size="small"
            disabled={shareOf(closable, percent) === NO_LOTS}
            onClick={() => (percent === WHOLE ? extent.onChange('whole') : take(printLots(shareOf(closable, percent), sizePrecision)))}
          >
            {percent}%
          </Button>
        ))}
      </div>
    </div>
  );
}

export function CloseDialog(props: CloseDialogProps): ReactElement {
  const { market, position: opened, close } = props;
  const text = useText();
  const format = useFormat();
  const now = usePositionNow(opened, market);
  const form = useCloseForm(props, now);
  const direction = directionOf(opened);
  const { positionSide, leverage, symbol } = opened;
  const [type, price] = [form.field('type'), form.field('price')];
  const closable = closableOf(now.position, market, type.value);
  const size = shownSize(form, closable, market);
  const limit = type.value === 'limit' ? (valueOf(readPrice(price.value, market)) ?? NO_TICKS) : undefined;
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      title={text(positionSide === 'BOTH' ? 'futures.close.title' : `futures.close.${direction}`)}
      description={`${symbol.replace('_', '/')} · ${text(`futures.direction.${direction}`)} ${leverage}×`}
      action={text('futures.close.submit', { size: format.number(size === '' ? undefined : canonical(size)), coin: market.sizeName })}
    >
      <Segmented
        {...type}
        label={text('trade.ticket.type')}
        choices={(['market', 'limit'] as const).map((value) => ({ value, label: text(`trade.ticket.${value}`) }))}
      />
      {type.value === 'limit' && <NumberField {...price} label={text('trade.price')} aside={<Unit>{market.quoteName}</Unit>} />}
      <SizeWithShares form={form} market={market} closable={closable} />
      <OutcomeLines now={now} market={market} closing={{ size: valueOf(readSize(size, market)) ?? NO_LOTS, price: limit }} />
    </FormDialog>
  );
}

function Unit({ children }: { readonly children: string }): ReactElement {
  return <span className="shrink-0 text-sm text-fg3">{children}</span>;
}

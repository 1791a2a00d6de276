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
import { directionOf, holdingOf } from './position-holding.ts';
import { atOwnField } from './send-form.ts';
import { usePositionNow } from './use-position-now.ts';
import type { PositionNow } from './use-position-now.ts';
import { useSettleText } from './use-settle-text.ts';
import { WalkWords } from './walk-words.tsx';

const schema = Type.Object({ type: Type.Enum(['market', 'limit']), price: Type.String(), size: Type.String() });

const SHARES = [25, 50, 75, 100] as const;
const ID_BYTES = 16;
const HUNDRED = 100n;

/** What no open order that reduces the position covers; all of it where nothing is known of that. */
const closableOf = ({ availableCloseSize }: Position, { sizePrecision }: ContractMarket): Lots =>
  parseLots(availableCloseSize, sizePrecision) ?? NO_LOTS;

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

type CloseForm = FormState<Static<typeof schema>>;

function useCloseForm({ market, position: opened, resolve }: CloseDialogProps, { position, mark }: PositionNow): CloseForm {
  const by = useActor();
  const [clientOrderId] = useState(() => randomHex(ID_BYTES));
  const side = directionOf(opened) === 'long' ? 'sell' : 'buy';
  return useForm({
    schema,
    initial: { type: 'market', price: opened.markPrice ?? '', size: printLots(closableOf(opened, market), market.sizePrecision) },
    rules({ type, price, size }) {
      const [at, counted] = [readPrice(price, market), readSize(size, market)];
      const [limit, closing] = [valueOf(at), valueOf(counted)];
      const wrongPrice = issueOf(at) ?? (limit && bandIssue(limit, side, mark, market));
      const wrongSize = issueOf(counted) ?? (closing && closableIssue(closing, closableOf(position, market), market));
      return {
        ...(type === 'limit' && { price: price === '' ? { message: 'trade.issue.missingPrice' } : wrongPrice }),
        size: size === '' ? { message: 'trade.issue.missingSize' } : wrongSize,
      };
    },
    async send({ type, price, size }) {
      const { positionSide } = opened;
      const order = {
        symbol: market.wire,
        orderSide: side === 'sell' ? 'SELL' : 'BUY',
        positionSide,
        orderType: type === 'market' ? 'MARKET' : 'LIMIT',
        origQty: canonical(size),
        unit: market.lotUnit,
        ...(positionSide === 'BOTH' && { reduceOnly: true }),
        ...(type === 'limit' && { price: canonical(price) }),
        clientOrderId,
      } as const;
      await atOwnField(request('createFuturesOrder', order, by));
      resolve(true);
    },
  });
}

interface SizeProps {
  readonly form: CloseForm;
  readonly market: ContractMarket;
  readonly closable: Lots;
}

function SizeWithShares({ form, market: { sizePrecision, sizeName: coin }, closable }: SizeProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const size = form.field('size');
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        {...size}
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
            onClick={() => size.onChange(printLots(shareOf(closable, percent), sizePrecision))}
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
  const [type, price, { value: size }] = [form.field('type'), form.field('price'), form.field('size')];
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
      <SizeWithShares form={form} market={market} closable={closableOf(now.position, market)} />
      <OutcomeLines now={now} market={market} closing={{ size: valueOf(readSize(size, market)) ?? NO_LOTS, price: limit }} />
    </FormDialog>
  );
}

function Unit({ children }: { readonly children: string }): ReactElement {
  return <span className="shrink-0 text-sm text-fg3">{children}</span>;
}

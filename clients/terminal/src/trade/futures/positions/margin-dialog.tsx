/** Gives margin to an isolated position, or takes back what it does not need: how much there is, and where it would be liquidated then. */
import type { Position } from '@orrery/api';
import { removableMargin, unrealizedProfit } from '@orrery/rules';
import { addAtoms, NO_ATOMS, NO_TICKS, printAtoms, subtractAtoms } from '@orrery/units';
import type { Atoms } from '@orrery/units';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../../kit/i18n/text.tsx';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Button } from '../../../kit/ui/button.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../../kit/ui/form-dialog.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { Switch } from '../../../kit/ui/switch.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { useForm } from '../../../kit/ui/use-form.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { issueOf, valueOf } from '../../shared/orders/order-rules.ts';
import { readMoney } from '../../shared/orders/position-rules.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import { change, request } from '../account.ts';
import { FigureLine, Moved } from './figure-line.tsx';
import { backingOf, holdingOf, outlookOf, signedAtoms } from './position-holding.ts';
import { atOwnField } from './send-form.ts';
import { usePositionNow } from './use-position-now.ts';
import type { PositionNow } from './use-position-now.ts';
import { useSettleText } from './use-settle-text.ts';

const schema = Type.Object({ type: Type.Enum(['ADD', 'SUB']), amount: Type.String() });

const ID_BYTES = 16;

/** The most that can be given and taken back; `undefined` while it is not known. */
function boundsOf({ position, mark, held }: PositionNow, market: ContractMarket): Readonly<Record<'ADD' | 'SUB', Atoms | undefined>> {
  const { settleDecimals } = market;
  const holding = holdingOf(position, market);
  const available = held.account?.availableBalance;
  const unrealized = holding === undefined || mark === NO_TICKS ? NO_ATOMS : unrealizedProfit(holding, mark, market.margin);
  const { leverage } = position;
  return {
    ADD: available == null ? undefined : signedAtoms(available, settleDecimals),
    SUB: holding && removableMargin(signedAtoms(position.isolatedMargin, settleDecimals), { cost: holding.cost, leverage, unrealized }),
  };
}

interface EffectProps {
  readonly now: PositionNow;
  readonly market: ContractMarket;
  /** Below 0 where it is taken back. */
  readonly moved: Atoms;
}

function Effect({ now: { position, mark, held }, market, moved }: EffectProps): ReactElement | null {
  const text = useText();
  const say = useSettleText(market);
  const holding = holdingOf(position, market);
  const backing = backingOf(position, held, market);
  if (holding === undefined || backing === undefined) return null;
  const margin = addAtoms(backing.margin, moved);
  const [before, after] = [backing, { ...backing, margin }].map((each) => outlookOf(holding, each, market.margin, mark).liquidation);
  const isMoved = moved !== NO_ATOMS;
  return (
    <>
      <FigureLine name={text('orderForm.margin')}>
        <Moved from={say.money(backing.margin)} to={isMoved ? say.money(margin) : undefined} />
      </FigureLine>
      <FigureLine name={text('orderForm.liquidation')}>
        <Moved from={say.liquidation(before)} to={isMoved ? say.liquidation(after) : undefined} />
      </FigureLine>
    </>
  );
}

export interface MarginDialogProps extends Dialogue<true> {
  readonly market: ContractMarket;
  readonly position: Position;
}

export function MarginDialog({ market, position: opened, resolve, close }: MarginDialogProps): ReactElement {
  const text = useText();
  const by = useActor();
  const say = useSettleText(market);
  const now = usePositionNow(opened, market);
  const [autoMargin, setAuto] = useState(opened.autoMargin);
  const [key] = useState(() => randomHex(ID_BYTES));
  const { wire: symbol, settleName: coin, settleDecimals: decimals } = market;
  const { positionSide } = opened;
  const bounds = boundsOf(now, market);
  const form = useForm({
    schema,
    initial: { type: 'ADD', amount: '' },
    rules: ({ type, amount }) => ({
      amount: amount === '' ? { message: 'trade.issue.missing' } : issueOf(readMoney(amount, { decimals, coin, most: bounds[type] })),
    }),
    async send({ type, amount }) {
      const margin = canonical(amount);
      await atOwnField(request('adjustPositionMargin', { symbol, positionSide, margin, type, key }, by));
      const values = { amount: say.money(signedAtoms(margin, decimals)) };
      showSuccess(type === 'ADD' ? 'orderForm.marginAdded' : 'orderForm.marginTaken', { values });
      resolve(true);
    },
  });
  const [type, amount] = [form.field('type'), form.field('amount')];
  const most = bounds[type.value];
  const entered = valueOf(readMoney(amount.value, { decimals, coin, most })) ?? NO_ATOMS;
  const toggle = (next: boolean): void => {
    setAuto(next);
    change('setAutoMargin', { symbol, positionSide, autoMargin: next }, by).catch(() => setAuto(!next));
  };
  return (
    <FormDialog form={form} close={close} width="narrow" title={text('futures.adjust.title')} action={text(`futures.adjust.${type.value}`)}>
      <Segmented
        {...type}
        label={text('futures.adjust.title')}
        choices={(['ADD', 'SUB'] as const).map((value) => ({ value, label: text(`futures.adjust.${value}`) }))}
      />
      <NumberField
        {...amount}
        label={text('futures.adjust.amount', { coin })}
        aside={
          <Button
            kind="quiet"
            size="small"
            className="-me-1.5"
            disabled={most === undefined || most <= 0n}
            onClick={() => amount.onChange(most === undefined ? '' : printAtoms(most, decimals))}
          >
            {text('trade.ticket.max')}
          </Button>
        }
      />
      <dl className="flex flex-col gap-1.5 text-sm">
        <FigureLine name={text(type.value === 'ADD' ? 'orderForm.available' : 'orderForm.removable')}>{say.money(most)}</FigureLine>
        <Effect now={now} market={market} moved={type.value === 'ADD' ? entered : subtractAtoms(NO_ATOMS, entered)} />
      </dl>
      <div className="flex items-start gap-3">
        <Switch label={text('futures.adjust.auto')} value={autoMargin} onChange={toggle} />
        <p className="text-sm text-fg2">{text('futures.adjust.autoHint')}</p>
      </div>
    </FormDialog>
  );
}

/** Leverage of a contract: how large a position it allows, what money it moves, and where the position would be liquidated then. */
import type { Position } from '@orrery/api';
import { initialMargin, maxNotionalAt } from '@orrery/rules';
import { addAtoms, NO_ATOMS, printAtoms, subtractAtoms } from '@orrery/units';
import type { Atoms } from '@orrery/units';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../../kit/ui/form-dialog.tsx';
import { NumberField } from '../../../kit/ui/number-field.tsx';
import { Slider } from '../../../kit/ui/slider.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { useForm } from '../../../kit/ui/use-form.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { issueOf, valueOf } from '../../shared/orders/order-rules.ts';
import { readLeverage } from '../../shared/orders/position-rules.ts';
import { request } from '../account.ts';
import { FigureLine, Moved } from './figure-line.tsx';
import { backingOf, holdingOf, outlookOf } from './position-holding.ts';
import { atOwnField } from './send-form.ts';
import { usePositionNow } from './use-position-now.ts';
import type { PositionNow } from './use-position-now.ts';
import { useSettleText } from './use-settle-text.ts';

const schema = Type.Object({ leverage: Type.String() });

interface EffectProps {
  readonly now: PositionNow;
  readonly market: ContractMarket;
  /** `undefined` while it is none. */
  readonly leverage: number | undefined;
}

/** Of a position that is there: an isolated one takes what it lacks at the new leverage from the wallet, and gives nothing back. */
function Effect({ now: { position, mark, held }, market, leverage }: EffectProps): ReactElement | null {
  const text = useText();
  const say = useSettleText(market);
  const holding = holdingOf(position, market);
  const backing = backingOf(position, held, market);
  if (holding === undefined || backing === undefined) return null;
  const before = outlookOf(holding, backing, market.margin, mark);
  const isIsolated = backing.mode === 'ISOLATED';
  const moved: Atoms = leverage === undefined || !isIsolated ? NO_ATOMS : missingAt(initialMargin(holding.cost, leverage), backing.margin);
  const after =
    leverage === undefined
      ? undefined
      : outlookOf(holding, { ...backing, leverage, margin: addAtoms(backing.margin, moved) }, market.margin, mark);
  return (
    <>
      <dl className="flex flex-col gap-1.5 text-sm">
        <FigureLine name={text('orderForm.margin')}>
          <Moved from={say.money(before.margin)} to={after && say.money(after.margin)} />
        </FigureLine>
        <FigureLine name={text('orderForm.liquidation')}>
          <Moved from={say.liquidation(before.liquidation)} to={after && say.liquidation(after.liquidation)} />
        </FigureLine>
      </dl>
      {isIsolated && leverage !== undefined && leverage !== position.leverage && (
        <p className="text-sm text-fg2">
          {moved === NO_ATOMS ? text('orderForm.movesNothing') : text('orderForm.moves', { amount: say.money(moved) })}
        </p>
      )}
    </>
  );
}

const missingAt = (needed: Atoms, margin: Atoms): Atoms => (needed > margin ? subtractAtoms(needed, margin) : NO_ATOMS);

export interface LeverageDialogProps extends Dialogue<true> {
  readonly market: ContractMarket;
  readonly position: Position;
}

export function LeverageDialog({ market, position: opened, resolve, close }: LeverageDialogProps): ReactElement {
  const text = useText();
  const by = useActor();
  const format = useFormat();
  const now = usePositionNow(opened, market);
  const { wire: symbol, info, margin, settleDecimals, settleName } = market;
  const most = info.maxLeverage;
  const form = useForm({
    schema,
    initial: { leverage: String(opened.leverage) },
    rules: ({ leverage }) => ({
      leverage: leverage === '' ? { message: 'futures.leverage.range', values: { most } } : issueOf(readLeverage(leverage, most)),
    }),
    async send({ leverage: typed }) {
      const leverage = Number(typed);
      await atOwnField(request('adjustLeverage', { symbol, positionSide: opened.positionSide, leverage }, by));
      showSuccess('orderForm.leverageSet', { values: { leverage } });
      resolve(true);
    },
  });
  const field = form.field('leverage');
  const leverage = valueOf(readLeverage(field.value, most));
  const largest = leverage === undefined ? undefined : printAtoms(maxNotionalAt(leverage, margin.tiers), settleDecimals);
  // A slider counts per cents of the most.
  const share = Math.round((100 * Math.min(Number(field.value) || 0, most)) / most);
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      title={text('futures.leverage.title')}
      description={text('futures.leverage.lead', { most })}
      action={leverage === undefined ? text('futures.leverage.setSome') : text('futures.leverage.set', { leverage })}
    >
      <NumberField {...field} label={text('futures.leverage.label')} />
      <Slider
        label={text('futures.leverage.label')}
        value={share}
        onChange={(next) => field.onChange(String(Math.max(1, Math.round((next * most) / 100))))}
      />
      <p className="text-sm text-fg2">
        {text('futures.leverage.largest', { amount: format.number(largest, { decimals: 2 }), coin: settleName })}
      </p>
      <Effect now={now} market={market} leverage={leverage} />
    </FormDialog>
  );
}

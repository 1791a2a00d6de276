/** The form of an advertisement, with what it will bring before it is published. */
import type { OwnOtcAdvertisement } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FormState } from '../../kit/ui/use-form.ts';
import { addDecimals } from '../../kit/format/decimal.ts';
import { ask } from '../../platform/data/calls.ts';
import { AmountField } from '../balances/amount-field.tsx';
import { coinName } from '../balances/coin-name.ts';
import { availableIn, useBalances } from '../balances/use-balances.ts';
import { precisionOf, useCoins } from '../balances/use-coins.ts';
import { advertisementProblems, advertisementSchema, changeOf, termsOf, valuesOf } from './advertisement-form.ts';
import type { AdvertisementValues } from './advertisement-form.ts';
import { AdvertisementReceipt } from './advertisement-receipt.tsx';
import { MethodChoice } from './method-choice.tsx';
import { useOtcInfo, useOtcWords } from './use-otc.ts';

const TEXT_MAX = 500;
const ID_BYTES = 16;

type AdvertisementForm = FormState<AdvertisementValues>;

interface PartProps {
  readonly form: AdvertisementForm;
}

/** What is bought or sold, and against what: fixed once it is published. */
function Subject({ form }: PartProps): ReactElement {
  const text = useText();
  const coins = useOtcInfo().value?.coins ?? [form.field('coin').value];
  const sides = (['SELL', 'BUY'] as const).map((value) => ({ value, label: text(`otc.side.${value}`) }));
  const currencies = (['cny', 'usd'] as const).map((value) => ({ value, label: text(`otcName.currency.${value}`) }));
  return (
    <>
      <Segmented {...form.field('side')} label={text('otc.ad.iWant')} choices={sides} className="w-full" />
      <div className="grid grid-cols-2 gap-3">
        <SelectField {...form.field('coin')} label={text('otc.coin')} choices={coins.map((value) => ({ value, label: coinName(value) }))} />
        <SelectField {...form.field('currency')} label={text('otc.currency')} choices={currencies} />
      </div>
    </>
  );
}

function Price({ form }: PartProps): ReactElement {
  const text = useText();
  const [type, currency, coin] = [form.field('priceType'), form.field('currency').value, form.field('coin').value];
  const types = (['FIXED', 'FLOATING'] as const).map((value) => ({ value, label: text(`otc.ad.${value}`) }));
  const directions = (['above', 'below'] as const).map((value) => ({ value, label: text(`otc.ad.direction.${value}`) }));
  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="text-sm text-fg2" aria-hidden="true">
          {text('otc.ad.priceType')}
        </span>
        <Segmented {...type} label={text('otc.ad.priceType')} choices={types} />
      </div>
      {type.value === 'FIXED' ? (
        <NumberField
          {...form.field('price')}
          label={text('otc.ad.price', { coin: coinName(coin) })}
          aside={<span className="text-md text-fg3">{text(`otcName.currency.${currency}`)}</span>}
        />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
          <NumberField
            {...form.field('premium')}
            label={text('otc.ad.premium')}
            hint={text('otc.ad.premiumHint')}
            aside={<span className="text-md text-fg3">%</span>}
          />
          <SelectField {...form.field('direction')} label={text('otc.ad.direction')} choices={directions} />
        </div>
      )}
    </>
  );
}

interface AmountsProps extends PartProps {
  readonly most: string | undefined;
  readonly isNew: boolean;
}

function Amounts({ form, most, isNew }: AmountsProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const [amount, side, coin] = [form.field('amount'), form.field('side').value, form.field('coin').value];
  const currency = <span className="text-md text-fg3">{text(`otcName.currency.${form.field('currency').value}`)}</span>;
  const label = text(isNew ? `otc.ad.amount.${side}` : 'otc.ad.left');
  return (
    <>
      <AmountField
        {...amount}
        label={label}
        coin={coin}
        onMax={most === undefined ? undefined : () => amount.onChange(most)}
        hint={most === undefined ? undefined : text('otc.funding', { amount: words.number(most), coin: coinName(coin) })}
      />
      <div className="grid grid-cols-2 gap-3">
        <NumberField {...form.field('minTotal')} label={text('otc.ad.minTotal')} aside={currency} />
        <NumberField {...form.field('maxTotal')} label={text('otc.ad.maxTotal')} aside={currency} />
      </div>
    </>
  );
}

function Ways({ form }: PartProps): ReactElement {
  const text = useText();
  const [methods, side] = [form.field('methods'), form.field('side').value];
  const windows = (['15', '30'] as const).map((value) => ({ value, label: text('otc.windowMinutes', { minutes: value }) }));
  return (
    <>
      <MethodChoice
        label={text(`otc.ad.methods.${side}`)}
        none={text('otc.ad.noMethods')}
        value={methods.value}
        onChange={(chosen) => methods.onChange([...chosen])}
        error={methods.error}
      />
      <SelectField {...form.field('window')} label={text('otc.ad.window')} choices={windows} />
      <TextArea
        {...form.field('conditions')}
        label={text('otc.ad.conditions')}
        hint={text('otc.ad.conditionsHint')}
        rows={2}
        maxLength={TEXT_MAX}
      />
      <TextArea
        {...form.field('autoReply')}
        label={text('otc.ad.autoReply')}
        hint={text('otc.ad.autoReplyHint')}
        rows={2}
        maxLength={TEXT_MAX}
      />
    </>
  );
}

/** What may be put into escrow: what is in the funding wallet, and what is there already. */
function useMost(changed: OwnOtcAdvertisement | undefined): (values: Pick<AdvertisementValues, 'side' | 'coin'>) => string | undefined {
  const { value: balances } = useBalances();
  return ({ side, coin }) =>
    side === 'BUY' || balances === undefined
      ? undefined
      : addDecimals(availableIn(balances, { wallet: 'funding', coin }), changed?.available ?? '0');
}

interface AdvertisementProps extends Dialogue<true> {
  /** One that is there; a new one without it. */
  readonly changed: OwnOtcAdvertisement | undefined;
}

export function AdvertisementDialog({ changed, resolve, close }: AdvertisementProps): ReactElement {
  const text = useText();
  const by = useActor();
  const coins = useCoins();
  const mostOf = useMost(changed);
  // The same content again, after there was no answer, is the same advertisement.
  const [idOf] = useState(() => rememberedIds());
  const form = useForm({
    schema: advertisementSchema,
    initial: valuesOf(changed),
    rules: (values) => advertisementProblems(values, { decimals: precisionOf(coins, values.coin), most: mostOf(values) }),
    async send(values) {
      if (changed === undefined) {
        const { side, coin, currency, priceType } = values;
        const body = { side, coin, currency, priceType, ...termsOf(values) };
        await ask('createOtcAdvertisement', { body: { ...body, clientAdvertisingId: idOf(JSON.stringify(body)) } }, by);
      } else await ask('updateOtcAdvertisement', { body: { advertisingId: changed.advertisingId, ...changeOf(values, changed) } }, by);
      resolve(true);
    },
  });
  const [side, coin] = [form.field('side').value, form.field('coin').value];
  return (
    <FormDialog
      form={form}
      close={close}
      width="wide"
      title={text(changed === undefined ? 'otc.ad.new' : 'otc.ad.change')}
      description={text('otc.ad.limit')}
      action={text(changed === undefined ? 'otc.ad.publish' : 'otc.ad.save')}
    >
      <div className="grid items-start gap-x-6 gap-y-4 tablet:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {changed === undefined && <Subject form={form} />}
          <Price form={form} />
          <Amounts form={form} most={mostOf({ side, coin })} isNew={changed === undefined} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Ways form={form} />
        </div>
      </div>
      <AdvertisementReceipt form={form} />
    </FormDialog>
  );
}

function rememberedIds(): (content: string) => string {
  const ids = new Map<string, string>();
  return (content) => {
    const id = ids.get(content) ?? randomHex(ID_BYTES);
    ids.set(content, id);
    return id;
  };
}

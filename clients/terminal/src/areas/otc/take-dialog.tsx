/** Takes an advertisement: the amount in the coin or in the currency, what follows from it, and the terms that hold once the order is made. */
import type { OtcAdvertisement } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FieldIssues, FormField } from '../../kit/ui/use-form.ts';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { coinName } from '../balances/coin-name.ts';
import { precisionOf, useCoins } from '../balances/use-coins.ts';
import { availableIn, useBalances } from '../balances/use-balances.ts';
import { openTransfer } from '../onboarding/actions.ts';
import { MethodChoice } from './method-choice.tsx';
import { SentOrder } from './sent-order.tsx';
import { amountOf, takerSideOf, totalOf } from './otc-total.ts';
import type { Figures } from './otc-total.ts';
import { TakeReceipt } from './take-receipt.tsx';
import { TraderFacts } from './trader.tsx';
import { useMaking } from './use-making.ts';
import { useOtcWords } from './use-otc.ts';

/** A floating price follows the market. */
const PRICE_POLL_MS = 5_000;
/** An advertiser has no more than this that are published. */
const PUBLISHED_MAX = 50;
const ID_BYTES = 8;

/** As it is now; where it takes no orders any more, as it was. */
function useLive(first: OtcAdvertisement): OtcAdvertisement {
  const { advertisingId, side, coin, currency, trader } = first;
  // What was read while it was open before is older than what it is opened with.
  const [opening] = useState(() => randomHex(ID_BYTES));
  const { value: live } = useReading({
    key: ['otcAdvertisements', 'one', advertisingId, opening],
    of: 'account',
    pollMs: PRICE_POLL_MS,
    async load() {
      const query = { traderId: trader.traderId, side, coin, currency, page: 1, pageSize: PUBLISHED_MAX } as const;
      const { list } = await ask('otcAdvertisements', { query });
      return list.find((one) => one.advertisingId === advertisingId) ?? { ...first, takeable: false };
    },
  });
  return live ?? first;
}

interface Agreed {
  /** The order can be made: the price is the one that the person has seen, or a better one. */
  readonly isAgreed: boolean;
  /** What the person takes note of. */
  readonly notice: ReactElement | undefined;
}

/** A price that got worse while the person read is agreed to by a press of its own: the press on the order may be on its way already. */
function useAgreed({ price: first }: OtcAdvertisement, { side, price, takeable }: OtcAdvertisement): Agreed {
  const text = useText();
  const words = useOtcWords();
  const [agreed, setAgreed] = useState(first);
  const moved = price === null || agreed === null ? 0 : compareDecimals(price, agreed);
  const isWorse = takerSideOf({ side }) === 'BUY' ? moved > 0 : moved < 0;
  if (price !== null && price !== agreed && !isWorse) setAgreed(price);
  if (!takeable) return { isAgreed: false, notice: <Notice tone="warn">{text('otc.gone')}</Notice> };
  const before = isWorse ? agreed : first;
  if (price === null || before === null || price === before) return { isAgreed: true, notice: undefined };
  const notice = (
    <Notice tone={isWorse ? 'warn' : 'info'}>
      <span className="flex flex-wrap items-center justify-between gap-3">
        {text('otc.priceMoved', { before: words.number(before), price: words.number(price) })}
        {isWorse && (
          <Button size="small" onClick={() => setAgreed(price)}>
            {text('terms.accept')}
          </Button>
        )}
      </span>
    </Notice>
  );
  return { isAgreed: !isWorse, notice };
}

const schema = Type.Object({
  /** Which of the two was typed: the other follows from it. */
  by: Type.Enum(['total', 'amount']),
  typed: Type.String({ minLength: 1 }),
  methods: Type.Array(Type.String()),
});
type Entered = { readonly by: 'total' | 'amount'; readonly typed: string; readonly methods: readonly string[] };

function useTaking(advertisement: OtcAdvertisement) {
  const side = takerSideOf(advertisement);
  const { coin, price, minTotal, maxTotal } = advertisement;
  const text = useText();
  const words = useOtcWords();
  const decimals = precisionOf(useCoins(), coin);
  const { value: balances } = useBalances();
  const available = availableIn(balances, { wallet: 'funding', coin });
  const currency = text(`otcName.currency.${advertisement.currency}`);
  const figuresOf = ({ by, typed }: Pick<Entered, 'by' | 'typed'>): Figures => {
    const terms = { price: price ?? '', side, decimals };
    const total = by === 'total' ? typed : totalOf(typed, terms);
    const amount = by === 'amount' ? typed : amountOf(typed, terms);
    return { total: totalOf('1', terms) === undefined ? undefined : total, amount };
  };
  const problemsOf = (entered: Entered): FieldIssues<Entered> => {
    const { total, amount } = figuresOf(entered);
    if (total === undefined || amount === undefined || !/^\d+(\.\d+)?$/.test(total))
      return { typed: entered.by === 'total' ? { message: 'otc.ad.wrongTotal' } : { message: 'transfer.invalid', values: { decimals } } };
    if (compareDecimals(total, minTotal) < 0 || compareDecimals(total, maxTotal) > 0)
      return { typed: { message: 'otc.between', values: { min: words.number(minTotal), max: words.number(maxTotal), currency } } };
    if (side === 'BUY') return {};
    if (balances !== undefined && compareDecimals(amount, available) > 0)
      return { typed: { message: 'otc.fundingShort', values: { amount: words.number(available), coin: coinName(coin) } } };
    return entered.methods.length === 0 ? { methods: { message: 'otc.chooseMethod' } } : {};
  };
  const worth = side === 'SELL' && price !== null ? totalOf(available, { price, side, decimals }) : undefined;
  const most = worth !== undefined && compareDecimals(worth, maxTotal) < 0 ? worth : maxTotal;
  return { side, available, most, figuresOf, problemsOf };
}

interface AmountsProps {
  readonly advertisement: OtcAdvertisement;
  readonly figures: Figures;
  readonly by: FormField<'total' | 'amount'>;
  readonly typed: FormField<string>;
  /** Total that can be taken at most: of a seller, by what is in the funding wallet. */
  readonly most: string;
}

/** Two fields, of which the one that was not typed shows what follows. */
function Amounts({ advertisement, figures, by, typed, most }: AmountsProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const { currency, coin, minTotal, maxTotal } = advertisement;
  const side = takerSideOf(advertisement);
  const name = text(`otcName.currency.${currency}`);
  const enter = (which: 'total' | 'amount', value: string): void => {
    by.onChange(which);
    typed.onChange(value);
  };
  const errorOf = (which: 'total' | 'amount') => (by.value === which ? typed.error : undefined);
  return (
    <>
      <NumberField
        label={text(`otc.takeTotal.${side}`)}
        value={figures.total ?? ''}
        onChange={(value) => enter('total', value)}
        onBlur={typed.onBlur}
        error={errorOf('total')}
        hint={text('otc.between', { min: words.number(minTotal), max: words.number(maxTotal), currency: name })}
        aside={
          <span className="flex shrink-0 items-center gap-2 text-md text-fg3">
            {name}
            <button
              type="button"
              className="rounded-sm px-1 text-sm font-semibold text-fg2 hover:text-fg"
              onClick={() => enter('total', most)}
            >
              {text('otc.allOfIt')}
            </button>
          </span>
        }
      />
      <NumberField
        label={text(`otc.takeAmount.${side}`)}
        value={figures.amount ?? ''}
        onChange={(value) => enter('amount', value)}
        onBlur={typed.onBlur}
        error={errorOf('amount')}
        aside={<span className="text-md text-fg3">{coinName(coin)}</span>}
      />
    </>
  );
}

/** To sell, the coin must be in the funding wallet. */
function Funding({ coin, available }: { readonly coin: string; readonly available: string }): ReactElement {
  const text = useText();
  const words = useOtcWords();
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-fg2">
      {text('otc.funding', { amount: words.number(available), coin: coinName(coin) })}
      <Button size="small" kind="quiet" onClick={() => void openTransfer({ from: 'spot', to: 'funding', coin })}>
        {text('otc.moveCoins')}
      </Button>
    </p>
  );
}

interface TakeProps extends Dialogue<true> {
  readonly advertisement: OtcAdvertisement;
  /** What the order is to cost, to begin with. */
  readonly total: string;
}

export function TakeDialog({ advertisement: first, total, resolve, close }: TakeProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const advertisement = useLive(first);
  const { isAgreed, notice } = useAgreed(first, advertisement);
  const { coin, currency, price, paymentKinds, trader } = advertisement;
  const { side, available, most, figuresOf, problemsOf } = useTaking(advertisement);
  const once = useMaking(() => resolve(true));
  const form = useForm({
    schema,
    initial: { by: 'total', typed: total, methods: [] },
    rules: problemsOf,
    async send({ by, typed, methods }) {
      const shownTotal = figuresOf({ by, typed }).total ?? '';
      const sale = side === 'SELL' && { paymentMethodIds: methods };
      const terms = { advertisingId: first.advertisingId, [by]: typed, ...(price !== null && { price }), ...sale };
      await once.submit({ side, coin, currency, shownTotal, terms });
    },
  });
  const title = text(`otc.takeFrom.${side}`, { coin: coinName(coin), name: trader.nickname });
  if (once.open !== undefined && once.phase === 'unanswered')
    return (
      <Dialog open onClose={close} width="narrow" title={title}>
        <SentOrder order={once.open} once={once} />
      </Dialog>
    );
  const [by, typed, methods] = [form.field('by'), form.field('typed'), form.field('methods')];
  const figures = typed.value === '' ? { total: '', amount: '' } : figuresOf({ by: by.value, typed: typed.value });
  return (
    <FormDialog
      form={form}
      close={close}
      title={title}
      description={<TraderFacts trader={trader} />}
      action={text(`otc.order.${side}`, { coin: coinName(coin) })}
      disabled={!isAgreed}
    >
      <div aria-live="polite" className="empty:hidden">
        {notice}
      </div>
      <Amounts advertisement={advertisement} figures={figures} by={by} typed={typed} most={most} />
      {side === 'SELL' && (
        <>
          <Funding coin={coin} available={available} />
          <MethodChoice
            label={text('otc.paidTo')}
            kinds={paymentKinds}
            none={text('otc.noMethodOfKind', { kinds: words.kinds(paymentKinds) })}
            value={methods.value}
            onChange={(chosen) => methods.onChange([...chosen])}
            error={methods.error}
          />
        </>
      )}
      <TakeReceipt advertisement={advertisement} figures={figures} />
    </FormDialog>
  );
}

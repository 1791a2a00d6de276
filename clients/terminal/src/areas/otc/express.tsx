/** The best advertisement for an amount, and one press that takes it. */
import type { OtcAdvertisement } from '@orrery/api';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { showError } from '../../kit/ui/toast.ts';
import { toastText } from '../../platform/client/failure.ts';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { useAccountInView, useSession } from '../../platform/session/session.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { coinName } from '../balances/coin-name.ts';
import { precisionOf, useCoins } from '../balances/use-coins.ts';
import { requireTerms } from '../onboarding/actions.ts';
import { take } from './advertisement-table.tsx';
import type { NewOtcOrder } from './open-otc-orders.ts';
import { amountOf } from './otc-total.ts';
import { SentOrder } from './sent-order.tsx';
import { useWindowWords } from './take-receipt.tsx';
import { Trader } from './trader.tsx';
import { queryOf, TOTAL, type useFilters } from './use-filters.ts';
import type { Filters } from './use-filters.ts';
import { useMaking } from './use-making.ts';
import { useOtcInfo, useOtcWords, useOwnTrader } from './use-otc.ts';

/** What is typed is looked for when the fingers rest. */
const REST_MS = 400;
const BEST_POLL_MS = 15_000;
/** The fewest rows of a page. */
const ROWS = { page: 1, pageSize: 10 } as const;

interface FiltersProps {
  readonly filters: Filters;
  readonly change: ReturnType<typeof useFilters>[1];
}

/** The amount in the address, typed without a change of the address at each key. */
function Total({ filters: { side, total, currency }, change }: FiltersProps): ReactElement {
  const text = useText();
  const router = useRouter();
  const [path] = useState(() => router.latestLocation.pathname);
  const [typed, setTyped] = useState(total);
  const [address, setAddress] = useState({ seen: total, written: total });
  // The address may change by other means, such as a link. What was written here comes back later: what is typed by then stays.
  if (address.seen !== total) {
    setAddress({ seen: total, written: total });
    if (address.written !== total) setTyped(total);
  }
  useEffect(() => {
    if (typed === address.written) return undefined;
    const timer = setTimeout(() => {
      // While the code of the next page loads this one is still shown, and the address is the next one's already.
      if (router.latestLocation.pathname !== path) return;
      setAddress(({ seen }) => ({ seen, written: typed }));
      change.total(typed);
    }, REST_MS);
    return () => clearTimeout(timer);
  });
  const isRefused = typed === address.written && typed !== total && !TOTAL.test(typed);
  const currencies = (['cny', 'usd'] as const).map((value) => ({ value, label: text(`otcName.currency.${value}`) }));
  return (
    <NumberField
      label={text(`otc.express.${side}`)}
      value={typed}
      onChange={setTyped}
      error={isRefused ? text('otc.ad.wrongTotal') : undefined}
      aside={<Select label={text('otc.currency')} size="small" value={currency} choices={currencies} onChange={change.currency} />}
    />
  );
}

/** Nobody is offered an advertisement of their own. */
function useBest(filters: Filters): Loaded<OtcAdvertisement | null> {
  const query = { ...queryOf(filters), ...ROWS };
  const read = useReading({
    key: ['otcAdvertisements', 'best', query],
    of: 'everybody',
    pollMs: BEST_POLL_MS,
    when: 'total' in query,
    load: () => ask('otcAdvertisements', { query }),
  });
  const own = useOwnTrader().value?.traderId;
  return mapped(read, ({ list }) => list.find(({ trader }) => trader.traderId !== own) ?? null);
}

interface OfferProps {
  readonly best: OtcAdvertisement;
  readonly filters: Filters;
  readonly once: Once<NewOtcOrder>;
}

/** Whether what is shown has been there long enough to be read: nobody presses on what came under the pointer a moment ago. */
function useIsRead(shown: string): boolean {
  const [read, setRead] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRead(shown), REST_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return read === shown;
}

function Offer({ best, filters: { side, total }, once }: OfferProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const windowOf = useWindowWords();
  const account = useAccountInView();
  const isReturning = useSession(({ phase }) => phase === 'validating');
  const { coin, currency, price, conditions, advertisingId } = best;
  const amount = amountOf(total, { price: price ?? '', side, decimals: precisionOf(useCoins(), coin) });
  const isRead = useIsRead(`${advertisingId} ${total} ${price ?? ''}`);
  const name = coinName(coin);
  const buy = async (): Promise<void> => {
    // A visitor signs in on the way, and looks at the order again as the account that it will be of.
    if (account === undefined) return take(best, total);
    if (!(await requireTerms())) return;
    const terms = { advertisingId, total, ...(price !== null && { price }) };
    await once.submit({ side, coin, currency, shownTotal: total, terms }).catch((error: unknown) => showError(toastText(error)));
  };
  // Who sells chooses where to be paid, and conditions are to be read first.
  const isDirect = side === 'BUY' && conditions === null;
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-fg2">{text(`otc.express.get.${side}`)}</span>
        <span className="text-xl font-semibold tabular-nums">{amount === undefined ? '' : words.exact(amount, coin)}</span>
        {price !== null && (
          <span className="text-fg2">
            {text('otc.express.at', { price: words.number(price), currency: text(`otcName.currency.${currency}`), coin: name })}
          </span>
        )}
      </p>
      <Trader trader={best.trader} />
      <p className="text-sm text-fg2">{words.kinds(best.paymentKinds)}</p>
      {isDirect ? (
        <Button
          kind="up"
          size="large"
          busy={once.phase === 'sending' || isReturning || !isRead}
          disabled={amount === undefined}
          onClick={() => void buy()}
        >
          {text('otc.express.now.BUY', { amount: words.number(amount ?? '0'), coin: name })}
        </Button>
      ) : (
        <Button kind={side === 'BUY' ? 'up' : 'down'} size="large" onClick={() => void take(best, total)}>
          {text(side === 'BUY' ? 'otc.express.review' : 'otc.express.now.SELL')}
        </Button>
      )}
      <p className="text-sm text-fg3">
        {side === 'BUY' && !isDirect
          ? text('otc.express.terms')
          : text(`otc.express.note.${side}`, { window: windowOf(best.payWindowMinutes) })}
      </p>
    </div>
  );
}

function Best({ filters }: Pick<FiltersProps, 'filters'>): ReactElement {
  const text = useText();
  const read = useBest(filters);
  const once = useMaking();
  // Whatever is offered now, and where nothing is.
  if (once.open !== undefined && once.phase === 'unanswered') return <SentOrder order={once.open} once={once} />;
  if (read.phase === 'idle') return <p className="text-fg3">{text(`otc.express.hint.${filters.side}`)}</p>;
  return (
    <LoadedPanel read={read} loading={<Skeleton className="h-24 w-full" />}>
      {(best) =>
        best === null ? <p className="text-fg2">{text('otc.express.none')}</p> : <Offer best={best} filters={filters} once={once} />
      }
    </LoadedPanel>
  );
}

export function Express({ filters, change }: FiltersProps): ReactElement {
  const text = useText();
  const coins = useOtcInfo().value?.coins ?? [filters.coin];
  const sides = (['BUY', 'SELL'] as const).map((value) => ({ value, label: text(`otc.side.${value}`) }));
  const coinChoices = coins.map((value) => ({ value, label: coinName(value) }));
  return (
    <Section
      title={text('otc.express')}
      aside={<Segmented label={text('otc.side')} value={filters.side} choices={sides} size="small" onChange={change.side} />}
    >
      <div className="grid gap-x-8 gap-y-4 p-4 tablet:grid-cols-[minmax(0,20rem)_1fr]">
        <div className="flex flex-col gap-3">
          <Total filters={filters} change={change} />
          <SelectField label={text('otc.coin')} value={filters.coin} choices={coinChoices} onChange={change.coin} />
        </div>
        <Best filters={filters} />
      </div>
    </Section>
  );
}

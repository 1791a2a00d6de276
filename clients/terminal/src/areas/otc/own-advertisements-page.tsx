/** `/otc/advertisements`: what the person advertises: paused, published again, changed, taken down. */
import type { OwnOtcAdvertisement } from '@orrery/api';
import type { ReactElement } from 'react';
import { say, useText } from '../../kit/i18n/text.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { useIsWide } from '../../kit/ui/use-is-wide.ts';
import { act, ask, refresh } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { usePending } from '../../platform/data/use-pending.ts';
import { coinName } from '../balances/coin-name.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useOtcNews } from './follow-otc.ts';
import { OtcNav } from './otc-nav.tsx';
import { postAdvertisement } from './post-advertisement.ts';
import { useOtcWords } from './use-otc.ts';

type State = 'PUBLISHED' | 'PAUSED' | 'TAKEN_DOWN';

const tones = {
  PUBLISHED: 'done',
  PAUSED: 'waiting',
  EXHAUSTED: 'neutral',
  TAKEN_DOWN: 'neutral',
} as const satisfies Record<OwnOtcAdvertisement['status'], StateTone>;
const done = { PUBLISHED: 'otc.ad.published', PAUSED: 'otc.ad.paused', TAKEN_DOWN: 'otc.ad.takenDown' } as const;

/** The stream says what orders do to them; a floating price is not followed here. */
const POLL_MS = 30_000;

async function setState({ advertisingId }: OwnOtcAdvertisement, status: State): Promise<void> {
  try {
    await act('setOtcAdvertisementStatus', { body: { advertisingId, status } }, actor());
    showSuccess(done[status]);
  } finally {
    await refresh('otcOwnAdvertisements', 'otcAdvertisements', 'balances');
  }
}

async function takeDown(row: OwnOtcAdvertisement): Promise<void> {
  const { side, available, coin } = row;
  const lead = side === 'SELL' ? say('otc.ad.takeDownSell', { amount: available, coin: coinName(coin) }) : say('otc.ad.takeDownBuy');
  const question = { title: say('otc.ad.takeDownTitle'), lead, action: say('otc.ad.takeDown'), keep: say('otc.ad.keep') };
  if ((await openDialog(ConfirmDialog, question)) === true) await setState(row, 'TAKEN_DOWN');
}

interface RowProps {
  readonly row: OwnOtcAdvertisement;
}

function Acts({ row }: RowProps): ReactElement | null {
  const text = useText();
  const { pending, begin } = usePending((work: () => Promise<void>) => work());
  const busy = pending !== undefined;
  const label = text('otc.ad.of', { id: row.advertisingId });
  if (row.status === 'TAKEN_DOWN') return null;
  return (
    <span role="group" aria-label={label} className="inline-flex flex-wrap justify-end gap-1.5">
      {row.status === 'PAUSED' ? (
        <Button size="small" busy={busy} onClick={() => begin(() => setState(row, 'PUBLISHED'))}>
          {text('otc.ad.resume')}
        </Button>
      ) : (
        row.status === 'PUBLISHED' && (
          <Button size="small" busy={busy} onClick={() => begin(() => setState(row, 'PAUSED'))}>
            {text('otc.ad.pause')}
          </Button>
        )
      )}
      <Button size="small" disabled={busy} onClick={() => void postAdvertisement(row)}>
        {text('otc.ad.edit')}
      </Button>
      <Button size="small" kind="danger" disabled={busy} onClick={() => begin(() => takeDown(row))}>
        {text('otc.ad.takeDown')}
      </Button>
    </span>
  );
}

function State({ row: { status, side, priceType, price } }: RowProps): ReactElement {
  const text = useText();
  const isStale = status === 'PUBLISHED' && priceType === 'FLOATING' && price === null;
  if (isStale) return <StateTag tone="waiting">{text('otc.ad.stale')}</StateTag>;
  const words = status === 'EXHAUSTED' && side === 'BUY' ? 'otc.ad.state.EXHAUSTED.BUY' : (`otc.ad.state.${status}` as const);
  return <StateTag tone={tones[status]}>{text(words)}</StateTag>;
}

function Subject({ row: { side, coin, advertisingId } }: RowProps): ReactElement {
  const text = useText();
  return (
    <span className="flex flex-col py-1.5">
      <span className="font-semibold">{text(`otc.order.${side}`, { coin: coinName(coin) })}</span>
      <span className="text-fg3">{advertisingId}</span>
    </span>
  );
}

function Price({ row: { price, premium, currency, priceType } }: RowProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const direction = premium?.startsWith('-') === true ? 'below' : 'above';
  return (
    <span className="flex flex-col py-1.5">
      <span className="tabular-nums">
        {price === null ? text('otc.ads.failedPrice') : `${words.number(price)} ${text(`otcName.currency.${currency}`)}`}
      </span>
      <span className="text-fg3">
        {priceType === 'FIXED'
          ? text('otc.ad.FIXED')
          : `${text('otc.ad.FLOATING')}, ${text(`otc.ad.${direction}`, { premium: words.number((premium ?? '0').replace('-', '')) })}`}
      </span>
    </span>
  );
}

function Amounts({ row: { available, inOrders, coin, minTotal, maxTotal, currency } }: RowProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const range = { min: words.number(minTotal), max: words.number(maxTotal), currency: text(`otcName.currency.${currency}`) };
  return (
    <span className="flex flex-col py-1.5 tabular-nums">
      <span>{words.short(available, coin)}</span>
      {/[1-9]/.test(inOrders) && <span className="text-fg3">{`${text('otc.ad.inOrders')} ${words.short(inOrders, coin)}`}</span>}
      <span className="text-fg3">{text('otc.limits.range', range)}</span>
    </span>
  );
}

function useColumns(): readonly Column<OwnOtcAdvertisement>[] {
  const text = useText();
  return [
    { id: 'subject', header: text('otc.ads'), cell: (row) => <Subject row={row} /> },
    { id: 'price', header: text('otc.price'), align: 'end', cell: (row) => <Price row={row} /> },
    { id: 'amounts', header: `${text('otc.available')} / ${text('otc.limits')}`, align: 'end', cell: (row) => <Amounts row={row} /> },
    { id: 'state', header: text('otc.ad.state'), cell: (row) => <State row={row} /> },
    {
      id: 'acts',
      header: <span className="sr-only">{text('otc.ad.edit')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => <Acts row={row} />,
    },
  ];
}

function useNarrowColumns(): readonly Column<OwnOtcAdvertisement>[] {
  const text = useText();
  return [
    {
      id: 'advertisement',
      header: text('otc.mine'),
      cell: (row) => (
        <div className="flex flex-col gap-1 py-2 whitespace-normal">
          <div className="flex items-baseline justify-between gap-3">
            <Subject row={row} />
            <State row={row} />
          </div>
          <div className="flex items-baseline justify-between gap-3">
            <Price row={row} />
            <span className="text-end">
              <Amounts row={row} />
            </span>
          </div>
          <Acts row={row} />
        </div>
      ),
    },
  ];
}

function Own(): ReactElement {
  const text = useText();
  useOtcNews();
  const [wide, narrow] = [useColumns(), useNarrowColumns()];
  const columns = useIsWide() ? wide : narrow;
  const query = usePageQuery<OwnOtcAdvertisement>({
    key: ['otcOwnAdvertisements'],
    pollMs: POLL_MS,
    load: (page) => ask('otcOwnAdvertisements', { query: page }),
  });
  return (
    <Section title={text('otc.mine')}>
      <PagedTable
        query={query}
        label={text('otc.mine')}
        columns={columns}
        keyOf={(row) => row.advertisingId}
        empty={text('otc.ad.empty')}
      />
    </Section>
  );
}

export function OwnAdvertisementsPage(): ReactElement {
  const text = useText();
  return (
    <Page
      title={text('otc.mine')}
      lead={text('otc.ad.limit')}
      actions={
        <Button kind="primary" onClick={() => void postAdvertisement()}>
          {text('otc.post')}
        </Button>
      }
    >
      <OtcNav />
      <SignedInOnly invitation="otc.connect">
        <Own />
      </SignedInOnly>
    </Page>
  );
}

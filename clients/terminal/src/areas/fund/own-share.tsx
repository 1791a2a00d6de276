/** What the account has of a fund, and what it did. */
import type { FundDetail, FundEntry, FundShare } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { useSession } from '../../platform/session/session.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN, useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Figure } from '../../kit/ui/figure.tsx';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { coinName } from '../balances/coin-name.ts';
import { requireTerms } from '../onboarding/actions.ts';
import { Item } from './item.tsx';

const SubscribeDialog = lazyDialog(async () => (await import('./subscribe-dialog.tsx')).SubscribeDialog);
const RedeemDialog = lazyDialog(async () => (await import('./redeem-dialog.tsx')).RedeemDialog);

const POLL_MS = 30_000;

interface ShareProps {
  readonly fund: FundDetail;
  readonly share: FundShare | undefined;
}

function Gain({ value, coin }: { readonly value: string; readonly coin: string }): ReactElement {
  const isHidden = useSettings((settings) => settings.hideAmounts);
  return isHidden ? <>{`${HIDDEN} ${coin}`}</> : <Figure value={value} unit={coin} decimals={2} sign="always" tone="direction" />;
}

function Holding({ fund, share }: ShareProps): ReactElement {
  const text = useText();
  const format = useFormat();
  if (share === undefined) return <p className="px-4 py-3 text-md text-fg2">{text('quanto.noShare')}</p>;
  const coin = coinName(fund.coin);
  const own = (value: string): string => `${format.own(value, { decimals: 2 })} ${coin}`;
  return (
    <dl className="px-4 py-1 text-md">
      <Item label={text('quanto.value')}>{own(share.value)}</Item>
      <Item label={text('quanto.shares')}>{format.own(share.shares)}</Item>
      <Item label={text('quanto.cost')}>{own(share.cost)}</Item>
      <Item label={text('quanto.profit')}>
        <Gain value={share.profit} coin={coin} />
      </Item>
      <Item label={text('quanto.realised')}>
        <Gain value={share.realised} coin={coin} />
      </Item>
      <Item label={text('quanto.feeNow')}>{own(share.fee)}</Item>
      {compareDecimals(share.waiting, '0') > 0 && <Item label={text('quanto.waitingMoney')}>{own(share.waiting)}</Item>}
      {compareDecimals(share.frozen, '0') > 0 && <Item label={text('quanto.waitingShares')}>{format.own(share.frozen)}</Item>}
    </dl>
  );
}

function Actions({ fund, share }: ShareProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const isOpen = fund.status === 'OPEN';
  const isLocked = share !== undefined && share.lockedUntil > now;
  const hasFree = share !== undefined && compareDecimals(share.shares, share.frozen) > 0;
  const subscribe = async (): Promise<void> => {
    if (await requireTerms()) await openDialog(SubscribeDialog, { fund, share });
  };
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <div className="grid grid-cols-2 gap-2">
        <Button kind="primary" size="large" disabled={!isOpen} onClick={() => void subscribe()}>
          {text('quanto.subscribe')}
        </Button>
        <Button
          size="large"
          disabled={!isOpen || isLocked || !hasFree}
          onClick={() => share !== undefined && void openDialog(RedeemDialog, { fund, share })}
        >
          {text('quanto.redeem')}
        </Button>
      </div>
      {!isOpen && <p className="text-sm text-fg2">{text('quanto.notOpen')}</p>}
      {isOpen && isLocked && <p className="text-sm text-fg2">{text('quanto.locked', { until: format.time(share.lockedUntil) })}</p>}
    </div>
  );
}

export function OwnShare({ fund }: { readonly fund: FundDetail }): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const read = useData({ name: 'fundMine', input: { query: { fundId: fund.fundId } }, of: 'account', pollMs: POLL_MS });
  return (
    <Section title={text('quanto.mine')}>
      {isSignedIn ? (
        <LoadedPanel read={read} loading={<Skeleton className="m-4 h-32" />}>
          {([share]) => (
            <>
              <Holding fund={fund} share={share} />
              <Actions fund={fund} share={share} />
            </>
          )}
        </LoadedPanel>
      ) : (
        <>
          <p className="px-4 py-3 text-md text-fg2">{text('quanto.visitor')}</p>
          <Actions fund={fund} share={undefined} />
        </>
      )}
    </Section>
  );
}

const tones: Readonly<Record<FundEntry['status'], StateTone>> = {
  WAITING: 'waiting',
  PARTIAL: 'waiting',
  DONE: 'done',
  RETURNED: 'failed',
};

/** Without year and seconds where there is no room for them. */
const At = ({ time }: { readonly time: string }): ReactElement => (
  <span className="text-fg2">
    <span className="max-tablet:hidden">{time.slice(0, 5)}</span>
    {time.slice(5, 16)}
    <span className="max-tablet:hidden">{time.slice(16)}</span>
  </span>
);

/** Of the payout of a fund that closes and cannot sell everything: its shares stay until the end. */
const isPart = ({ kind, shares }: FundEntry): boolean => kind === 'PAYOUT' && shares !== null && compareDecimals(shares, '0') === 0;

function useColumns(coin: string): readonly Column<FundEntry>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('quanto.time'), cell: (row) => <At time={format.time(row.createdTime)} /> },
    {
      id: 'kind',
      header: text('quanto.kind'),
      cell: (row) => text(isPart(row) ? 'quanto.kind.part' : `quanto.kind.${row.kind}`),
    },
    {
      id: 'amount',
      header: (
        <>
          {text('quanto.amount')}
          <span className="max-tablet:hidden"> ({coinName(coin)})</span>
        </>
      ),
      align: 'end',
      cell: (row) => (row.amount === null ? UNKNOWN : format.own(row.amount, { decimals: 2 })),
    },
    {
      id: 'shares',
      header: text('quanto.shares'),
      align: 'end',
      cell: (row) => (isPart(row) ? text('quanto.noneTaken') : row.shares === null ? UNKNOWN : format.own(row.shares)),
    },
    {
      id: 'nav',
      header: text('quanto.nav'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (row.nav === null ? UNKNOWN : format.number(row.nav, { decimals: 6 })),
    },
    { id: 'fee', header: text('quanto.feeShares'), align: 'end', roomyOnly: true, cell: (row) => format.own(row.fee) },
    {
      id: 'status',
      header: text('quanto.status'),
      align: 'end',
      pinned: true,
      cell: (row) => (
        <StateTag tone={tones[row.status]}>
          {row.reason === null ? text(`quanto.entry.${row.status}`) : text(`quanto.returned.${row.reason}`)}
        </StateTag>
      ),
    },
  ];
}

/** Nobody has one without a session. */
export function OwnHistory({ fund }: { readonly fund: FundDetail }): ReactElement | null {
  return useSession((state) => state.signedIn !== undefined) ? <History fund={fund} /> : null;
}

function History({ fund: { fundId, coin } }: { readonly fund: FundDetail }): ReactElement {
  const text = useText();
  const columns = useColumns(coin);
  const query = usePageQuery<FundEntry>({
    key: ['fundHistory', fundId],
    load: ({ page, pageSize }) => ask('fundHistory', { query: { fundId, page, pageSize } }),
    pollMs: POLL_MS,
  });
  return (
    <Section title={text('quanto.history')}>
      <PagedTable
        query={query}
        pagedAbove={10}
        label={text('quanto.history')}
        columns={columns}
        keyOf={({ entryId }) => entryId}
        empty={text('quanto.noHistory')}
      />
    </Section>
  );
}

/** `/otc/trader/:id`: what everybody may know of a person in OTC trading, and what the person advertises. */
import type { OtcAdvertisement, OtcMerchantInfo } from '@orrery/api';
import { useParams } from '@tanstack/react-router';
import { CallError } from '@orrery/sdk';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { EmptyState, FailedState } from '../../kit/ui/empty-state.tsx';
import { known } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { useData } from '../../platform/data/use-data.ts';
import { AdvertisementTable } from './advertisement-table.tsx';
import { OtcNav } from './otc-nav.tsx';
import { MerchantBadge, releaseSpan, useRate } from './trader.tsx';
import { ADVERTISEMENTS } from './use-filters.ts';
import { useOtcWords } from './use-otc.ts';

const NOT_FOUND = 404;
/** An address that names nobody. */
const BAD_REQUEST = 400;
const POLL_MS = 20_000;

type Appraisal = OtcMerchantInfo['appraisals'][number];

function Figures({ person }: { readonly person: OtcMerchantInfo }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useOtcWords();
  const rate = useRate();
  const {
    merchant,
    verified,
    finished,
    completionRate,
    medianReleaseSeconds,
    positive,
    negative,
    since,
    deposit,
    depositCoin,
    tradedDays30,
  } = person;
  return (
    <Section
      title={
        <span className="inline-flex items-center gap-3">
          {person.nickname}
          {merchant && <MerchantBadge />}
          {verified && <span className="text-sm font-normal text-fg3">{text('otc.verified')}</span>}
        </span>
      }
    >
      <Facts>
        <Fact term={text('otc.person.finished')}>{finished}</Fact>
        <Fact term={text('otc.person.rate')}>{completionRate === null ? UNKNOWN : `${rate(completionRate)}%`}</Fact>
        <Fact term={text('otc.person.release')}>{medianReleaseSeconds === null ? UNKNOWN : releaseSpan(medianReleaseSeconds)}</Fact>
        <Fact term={text('otc.person.appraisals')}>{text('otc.person.appraisalCounts', { positive, negative })}</Fact>
        <Fact term={text('otc.person.traded')}>
          {tradedDays30.length === 0
            ? text('otc.person.nothing')
            : tradedDays30.map(({ coin, amount }) => words.short(amount, coin)).join(', ')}
        </Fact>
        {merchant && <Fact term={text('otc.merchant.deposit')}>{words.exact(deposit, depositCoin)}</Fact>}
        {since !== null && <Fact term={text('otc.merchant.since')}>{format.time(since)}</Fact>}
      </Facts>
    </Section>
  );
}

function Advertised({ person: { traderId, nickname } }: { readonly person: OtcMerchantInfo }): ReactElement {
  const text = useText();
  const query = usePageQuery<OtcAdvertisement>({
    key: [ADVERTISEMENTS, traderId],
    of: 'everybody',
    pollMs: POLL_MS,
    load: (page) => ask('otcAdvertisements', { query: { traderId, ...page } }),
  });
  const label = text('otc.person.ads', { name: nickname });
  return (
    <Section title={label}>
      <AdvertisementTable query={query} label={label} empty={text('otc.person.adsEmpty', { name: nickname })} total="" of="one" />
    </Section>
  );
}

function useColumns(): readonly Column<Appraisal>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'appraisal',
      header: text('otc.person.appraisal'),
      cell: ({ appraisal }) => <StateTag tone={appraisal === 'POSITIVE' ? 'done' : 'failed'}>{text(`otc.appraise.${appraisal}`)}</StateTag>,
    },
    {
      id: 'said',
      header: text('otc.person.said'),
      cell: ({ text: said }) => <span className="block max-w-[60ch] py-1 break-words whitespace-normal">{said ?? UNKNOWN}</span>,
    },
    { id: 'at', header: text('otc.person.at'), align: 'end', wideOnly: true, cell: ({ at }) => format.time(at) },
  ];
}

function Appraisals({ appraisals }: Pick<OtcMerchantInfo, 'appraisals'>): ReactElement {
  const text = useText();
  const columns = useColumns();
  return (
    <Section title={text('otc.person.last')}>
      <Table
        label={text('otc.person.last')}
        columns={columns}
        read={known(appraisals)}
        keyOf={({ at, appraisal }) => `${at} ${appraisal}`}
        empty={text('otc.person.lastEmpty')}
      />
    </Section>
  );
}

function Missing({ read }: { readonly read: Loaded<OtcMerchantInfo> }): ReactElement {
  const text = useText();
  if (read.phase !== 'failed') return <Skeleton className="h-40 w-full" />;
  const { error, retry } = read;
  const isUnknown = error instanceof CallError && (error.status === NOT_FOUND || error.status === BAD_REQUEST);
  return isUnknown ? <EmptyState>{text('otc.person.notFound')}</EmptyState> : <FailedState onRetry={retry} />;
}

export function TraderPage(): ReactElement {
  const text = useText();
  const { traderId } = useParams({ from: '/otc/trader/$traderId' });
  const read = useData({ name: 'otcMerchant', of: 'everybody', input: { query: { traderId } } });
  const { value: person } = read;
  return (
    <Page title={person?.nickname ?? text('otc.trader')} lead={text('otc.person.lead')}>
      <OtcNav />
      {person === undefined ? (
        <Missing read={read} />
      ) : (
        <>
          <Figures person={person} />
          <Advertised person={person} />
          <Appraisals appraisals={person.appraisals} />
        </>
      )}
    </Page>
  );
}

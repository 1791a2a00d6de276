/** `/fund/quanto`: the funds, and one of them. */
import type { Fund, FundDetail } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import type { Control } from '../../kit/ui/control.ts';
import { Figure } from '../../kit/ui/figure.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import { coinName } from '../balances/coin-name.ts';
import { FundChart } from './fund-chart.tsx';
import { earliestOf } from './earliest.ts';
import { durationText } from './duration-text.ts';
import { Holdings } from './holdings.tsx';
import { Item } from './item.tsx';
import { OwnHistory, OwnShare } from './own-share.tsx';

const POLL_MS = 60_000;

const tones: Readonly<Record<Fund['status'], StateTone>> = { OPEN: 'done', CLOSING: 'waiting', ENDED: 'neutral' };

function Percent({ value }: { readonly value: string | null }): ReactElement {
  if (value === null) return <span className="text-fg3">{UNKNOWN}</span>;
  return <Figure value={value} unit="%" sign="always" tone="direction" />;
}

function Term({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="truncate text-md font-medium">{children}</dd>
    </div>
  );
}

/** The value is the fund that is shown. */
interface ListProps extends Control<string> {
  readonly funds: readonly Fund[];
}

function List({ funds, value, onChange }: ListProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <ul aria-label={text('quanto.funds')} className="mb-5 grid gap-3">
      {funds.map((fund) => (
        <li key={fund.fundId}>
          <button
            type="button"
            aria-pressed={fund.fundId === value}
            onClick={() => onChange(fund.fundId)}
            className={classes(
              'w-full rounded-md border bg-panel p-4 text-start hover:bg-hover',
              fund.fundId === value ? 'border-bone' : 'border-line',
            )}
          >
            <span className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <span className="text-md font-semibold">{fund.name}</span>
              <StateTag tone={tones[fund.status]}>{text(`quanto.status.${fund.status}`)}</StateTag>
            </span>
            <dl className="grid grid-cols-2 gap-x-4 gap-y-3 tablet:grid-cols-4 laptop:grid-cols-7">
              <Term label={text('quanto.strategy')}>{text(`quanto.strategy.${fund.strategy}`)}</Term>
              <Term label={text('quanto.nav')}>{format.number(fund.nav, { decimals: 6 })}</Term>
              <Term label={text('quanto.aum')}>
                <Figure value={fund.aum} unit={coinName(fund.coin)} decimals={2} />
              </Term>
              <Term label={text('quanto.return7d')}>
                <Percent value={fund.return7d} />
              </Term>
              <Term label={text('quanto.return30d')}>
                <Percent value={fund.return30d} />
              </Term>
              <Term label={text('quanto.maxDrawdown')}>
                <Figure value={fund.maxDrawdown} unit="%" />
              </Term>
              <Term label={text('quanto.capacity')}>
                <Figure value={fund.capacity} unit={coinName(fund.coin)} decimals={0} />
              </Term>
            </dl>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Why it is not like any other day. */
function State({ fund }: { readonly fund: FundDetail }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  if (fund.closingReason !== null)
    return (
      <div className="mb-5">
        <Notice tone="warn">
          {text(fund.status === 'ENDED' ? 'quanto.ended' : 'quanto.closing', { reason: text(`quanto.reason.${fund.closingReason}`) })}
        </Notice>
      </div>
    );
  if (fund.waitsSince !== null)
    return (
      <div className="mb-5">
        <Notice tone="warn">{text('quanto.waits', { since: format.time(fund.waitsSince) })}</Notice>
      </div>
    );
  return null;
}

function Countdown({ fund }: { readonly fund: FundDetail }): ReactElement {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const earliest = earliestOf(fund, now);
  const left = earliest - now;
  const minutes = Math.floor(left / 60_000);
  const seconds = Math.floor((left % 60_000) / 1_000);
  return (
    <>
      {format.time(earliest)} <span className="text-fg3">{text('quanto.in', { minutes, seconds: String(seconds).padStart(2, '0') })}</span>
    </>
  );
}

function Terms({ fund }: { readonly fund: FundDetail }): ReactElement {
  const text = useText();
  const format = useFormat();
  const coin = coinName(fund.coin);
  const money = (value: string): string => `${format.number(value, { decimals: 2 })} ${coin}`;
  return (
    <Section title={text('quanto.terms')}>
      <dl className="px-4 py-1 text-md">
        <Item label={text('quanto.returnAll')}>
          <Percent value={fund.returnAll} />
        </Item>
        <Item label={text('quanto.sharpe')}>{fund.sharpe === null ? text('quanto.sharpeLater') : format.number(fund.sharpe)}</Item>
        <Item label={text('quanto.maxDrawdown')}>
          <Figure value={fund.maxDrawdown} unit="%" />
        </Item>
        <Item label={text('quanto.cash')}>{money(fund.cash)}</Item>
        <Item label={text('quanto.holders')}>
          {text('quanto.holdersOf', { holders: fund.holders, leader: format.number(fund.leaderShare) })}
        </Item>
        <Item label={text('quanto.waiting')}>
          {text('quanto.waitingOf', { money: money(fund.waitingSubscriptions), shares: format.number(fund.waitingRedemptions) })}
        </Item>
        <Item label={text('quanto.nextValuation')}>
          <Countdown fund={fund} />
        </Item>
        <Item label={text('quanto.performanceFee')}>{text('quanto.feeOf', { percent: fund.performanceFee })}</Item>
        <Item label={text('quanto.managementFee')}>{text('quanto.noManagementFee')}</Item>
        <Item label={text('quanto.lock')}>{durationText(text, fund.lockMs)}</Item>
        <Item label={text('quanto.minimum')}>{money(fund.minSubscription)}</Item>
      </dl>
    </Section>
  );
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }): ReactElement {
  return (
    <Section title={title}>
      <ul className="flex list-disc flex-col gap-2 py-3 ps-8 pe-4 text-md text-pretty text-fg2">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Section>
  );
}

function Shown({ fund }: { readonly fund: FundDetail }): ReactElement {
  const text = useText();
  return (
    <>
      <State fund={fund} />
      {/* On narrow screens what one has and what it does stand first, the terms after them. */}
      <div className="grid items-start gap-x-5 laptop:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0">
          <FundChart fundId={fund.fundId} />
          <Holdings fundId={fund.fundId} />
          <OwnHistory fund={fund} />
        </div>
        <div className="min-w-0 max-laptop:contents">
          <div className="min-w-0 max-laptop:order-first">
            <OwnShare fund={fund} />
          </div>
          <Terms fund={fund} />
        </div>
      </div>
      <div className="grid items-start gap-x-5 laptop:grid-cols-2">
        <Sentences title={text('quanto.rules')} sentences={[fund.text.summary, ...fund.text.rules].filter((sentence) => sentence !== '')} />
        <Sentences title={text('quanto.risks')} sentences={[...fund.text.risks, text('quanto.silent')]} />
      </div>
    </>
  );
}

function One({ fundId }: { readonly fundId: string }): ReactElement {
  const read = useData({ name: 'fundDetail', input: { query: { fundId } }, of: 'everybody', pollMs: POLL_MS });
  return (
    <LoadedPanel read={read} loading={<Skeleton className="h-96 w-full" />}>
      {(fund) => <Shown fund={fund} />}
    </LoadedPanel>
  );
}

function Funds({ funds }: { readonly funds: readonly Fund[] }): ReactElement {
  const text = useText();
  const ids = funds.map(({ fundId }) => fundId);
  const [chosen, choose] = useChoiceInUrl({ name: 'fund', values: ids, usual: ids[0] ?? '', lists: ['fundHistory'] });
  if (chosen === '') return <p className="text-md text-fg2">{text('quanto.none')}</p>;
  return (
    <>
      <List funds={funds} value={chosen} onChange={choose} />
      <One key={chosen} fundId={chosen} />
    </>
  );
}

export function QuantoPage(): ReactElement {
  const text = useText();
  const read = useData({ name: 'fundList', of: 'everybody', pollMs: POLL_MS });
  return (
    <Page title={text('quanto.title')} lead={text('quanto.lead')}>
      <LoadedPanel read={read} loading={<Skeleton className="h-64 w-full" />}>
        {(funds) => <Funds funds={funds} />}
      </LoadedPanel>
    </Page>
  );
}

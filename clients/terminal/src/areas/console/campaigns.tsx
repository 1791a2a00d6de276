/** The leaderboard campaigns: a new one needs two persons, because its prizes are points; one person stops one. */
import { mayOperate, type LeaderboardCampaign } from '@orrery/api';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { CampaignForm } from './campaign-form.tsx';
import { prizeParts } from './prize-text.ts';

type ShownState = LeaderboardCampaign['state'] | 'OFF';

const tones = { UPCOMING: 'waiting', RUNNING: 'done', REVIEW: 'waiting', PAID: 'neutral', OFF: 'neutral' } as const;

/** Stopped before it began, it ends when it would have begun. */
const stateOf = ({ state, startsAt, endsAt }: LeaderboardCampaign): ShownState => (endsAt === startsAt ? 'OFF' : state);

function Stop({ campaign }: { readonly campaign: LeaderboardCampaign }): ReactElement | null {
  const text = useText();
  const { busy, act } = useAct();
  const state = stateOf(campaign);
  if (state !== 'UPCOMING' && state !== 'RUNNING') return null;
  const { campaignId } = campaign;
  const stop = async (): Promise<void> => {
    const title = text('console.campaigns.stopTitle', { name: localised(campaign.name) });
    const lead = text(`console.campaigns.stopLead.${state}`);
    const sure = await openDialog(ConfirmDialog, { title, lead, action: text('console.campaigns.stop') });
    if (sure === true) act(() => consoleHttp.call('stopCampaign', { body: { campaignId } }), 'console.campaigns.stopped');
  };
  return (
    <Button size="small" busy={busy} onClick={() => void stop()}>
      {text('console.campaigns.stop')}
    </Button>
  );
}

/** A line breaks between two prizes, never within one. */
function PrizesCell({ prizes }: Pick<LeaderboardCampaign, 'prizes'>): ReactElement {
  const parts = prizeParts(prizes);
  return (
    <div className="min-w-[24ch] py-1.5 whitespace-normal">
      {parts.length === 0 && UNKNOWN}
      {parts.map((part, at) => (
        <Fragment key={part}>
          {at > 0 && ', '}
          <span className="whitespace-nowrap">{part}</span>
        </Fragment>
      ))}
    </div>
  );
}

function useColumns(mayStop: boolean): readonly Column<LeaderboardCampaign>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'name', header: text('console.name'), cell: (row) => localised(row.name) },
    {
      id: 'state',
      header: text('console.state'),
      cell: (row) => <StateTag tone={tones[stateOf(row)]}>{text(`console.campaigns.state.${stateOf(row)}`)}</StateTag>,
    },
    { id: 'starts', header: text('console.starts'), wideOnly: true, cell: (row) => format.time(row.startsAt) },
    { id: 'ends', header: text('console.ends'), wideOnly: true, cell: (row) => format.time(row.endsAt) },
    { id: 'pays', header: text('console.campaigns.pays'), wideOnly: true, cell: (row) => format.time(row.paysAt) },
    {
      id: 'boards',
      header: text('console.campaigns.boards'),
      wideOnly: true,
      cell: (row) => row.boards.map((board) => text(`console.campaigns.boards.${board}`)).join(', '),
    },
    {
      id: 'prizes',
      header: text('console.campaigns.prizes'),
      wideOnly: true,
      cell: (row) => <PrizesCell prizes={row.prizes} />,
    },
    {
      id: 'stop',
      header: <span className="sr-only">{text('console.campaigns.stop')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => mayStop && <Stop campaign={row} />,
    },
  ];
}

export function CampaignsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('campaigns');
  const list = useList('deskCampaigns', page);
  const mayChange = mayOperate(me.role, 'operator');
  const columns = useColumns(mayChange);
  return (
    <Page title={text('console.campaigns.title')} lead={text('console.campaigns.lead')}>
      {mayChange && (
        <Section title={text('console.campaigns.new')}>
          <CampaignForm />
        </Section>
      )}
      <Section title={text('console.campaigns.title')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.campaigns.title')}
          columns={columns}
          keyOf={(row) => row.campaignId}
          empty={text('console.campaigns.empty')}
        />
      </Section>
    </Page>
  );
}

/** OTC trading at the desk: disputes with what both sides show, and applications of merchants. */
import { mayOperate } from '@orrery/api';
import type { OtcDispute } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { useChoiceInUrl, usePageInUrl, useWordsInUrl } from '../../kit/ui/in-url.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { consoleHttp, pageOf, useAct, useOtcDispute, useOtcDisputes, useWhole } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { Dispute } from './otc-dispute.tsx';
import { Applications } from './otc-merchants.tsx';

const DeclareDialog = lazyDialog(async () => (await import('./otc-dialogs.tsx')).DeclareDialog);

const LIST = 'disputes';
const STATES = ['OPEN', 'ENDED'] as const;
const tones = { WAITING: 'failed', DECIDED: 'waiting', APPEALED: 'failed', ENDED: 'neutral' } as const;

/** Before the first decision an operator says which accounts are theirs. */
function Declaration({ me }: AreaProps): ReactElement | null {
  const text = useText();
  const { busy, act } = useAct();
  const { value } = useWhole('otcArbiter');
  if (!mayOperate(me.role, 'operator') || value === undefined) return null;
  const declare = async (): Promise<void> => {
    const addresses = await openDialog(DeclareDialog, { known: value.addresses });
    if (addresses === undefined) return;
    act(() => consoleHttp.call('declareOtcArbiter', { body: { addresses: [...addresses] } }), 'console.otc.declared');
  };
  const isDeclared = value.declaredTime !== null;
  return (
    <div className="mb-5">
      <Notice tone={isDeclared ? 'info' : 'warn'}>
        <span className="flex flex-wrap items-center justify-between gap-3">
          {isDeclared ? text('console.otc.declaredAs', { count: value.addresses.length }) : text('console.otc.undeclared')}
          <Button size="small" busy={busy} onClick={() => void declare()}>
            {text(isDeclared ? 'console.otc.declareMore' : 'console.otc.declare')}
          </Button>
        </span>
      </Notice>
    </div>
  );
}

function useColumns(me: AreaProps['me'], open: (orderId: string) => void): readonly Column<OtcDispute>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'order',
      header: text('otc.list.order'),
      cell: ({ orderId, disputedTime, state }) => (
        <span className="flex flex-col py-1.5">
          <span className="font-semibold">{orderId}</span>
          <span className="text-fg3">{format.time(disputedTime)}</span>
          {/* A phone has no room beside it. */}
          <span className="whitespace-normal tablet:hidden">{text(`console.otc.state.${state}`)}</span>
        </span>
      ),
    },
    {
      id: 'amount',
      header: text('otc.list.amount'),
      align: 'end',
      cell: ({ amount, coin, total, currency }) => (
        <span className="flex flex-col py-1.5 tabular-nums">
          <span>{`${format.number(amount)} ${coin}`}</span>
          <span className="text-fg3">{`${format.number(total, { decimals: 2 })} ${text(`otcName.currency.${currency}`)}`}</span>
        </span>
      ),
    },
    { id: 'parties', header: text('console.otc.parties'), wideOnly: true, cell: ({ buyer, seller }) => `${buyer} / ${seller}` },
    {
      id: 'state',
      header: text('console.state'),
      wideOnly: true,
      cell: ({ state, operators }) => (
        <span className="flex flex-col py-1.5">
          <StateTag tone={tones[state]}>{text(`console.otc.state.${state}`)}</StateTag>
          {operators === 2 && <span className="text-fg3">{text('console.otc.two')}</span>}
        </span>
      ),
    },
    {
      id: 'open',
      header: <span className="sr-only">{text('console.otc.open')}</span>,
      align: 'end',
      pinned: true,
      cell: ({ orderId }) =>
        mayOperate(me.role, 'operator') ? (
          <Button size="small" aria-label={text('console.otc.openOrder', { id: orderId })} onClick={() => open(orderId)}>
            {text('console.otc.open')}
          </Button>
        ) : null,
    },
  ];
}

function Disputes({ me, open }: AreaProps & { readonly open: (orderId: string) => void }): ReactElement {
  const text = useText();
  const [state, setState] = useChoiceInUrl({ name: 'state', values: STATES, usual: 'OPEN', lists: [LIST] });
  const [page, setPage] = usePageInUrl(LIST);
  const list = useOtcDisputes(state, page);
  const choices = STATES.map((value) => ({ value, label: text(`console.otc.shown.${value}`) }));
  return (
    <Section
      title={text('console.otc.disputes')}
      aside={<Segmented label={text('console.state')} size="small" value={state} choices={choices} onChange={setState} />}
    >
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.otc.disputes')}
        columns={useColumns(me, open)}
        keyOf={(row) => row.orderId}
        empty={text(`console.otc.empty.${state}`)}
      />
    </Section>
  );
}

export function OtcArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [orderId, setOrderId] = useWordsInUrl({ name: 'order', pattern: /^[1-9]\d{0,15}$/, usual: '' });
  const read = useOtcDispute(orderId === '' ? undefined : orderId);
  return (
    <Page title={text('console.otc.title')} lead={text('console.otc.lead')}>
      <Declaration me={me} />
      <Disputes me={me} open={setOrderId} />
      {orderId !== '' && (
        <LoadedPanel read={read} loading={<Skeleton className="mb-5 h-64 w-full" />}>
          {(dispute) => <Dispute dispute={dispute} onClose={() => setOrderId('')} />}
        </LoadedPanel>
      )}
      <Applications me={me} />
    </Page>
  );
}

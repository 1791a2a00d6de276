/** Pairs of which one won nearly what the other lost, and what they traded: for somebody to judge. */
import { mayOperate, type PairTrades, type SuspiciousPair } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { pageOf, useList, usePairTrades } from '../../platform/data/operators.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { openDialog, type Dialogue } from '../../kit/ui/dialogs.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { firstPage } from '../../kit/ui/pager.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import type { AreaProps } from './area.ts';
import { PersonCell } from './person-cell.tsx';

function useTradeColumns(): readonly Column<PairTrades>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'at', header: text('console.pairs.at'), cell: (row) => format.time(row.at) },
    { id: 'symbol', header: text('console.pairs.market'), cell: (row) => row.symbol },
    { id: 'trades', header: text('console.pairs.trades'), align: 'end', cell: (row) => row.trades },
    { id: 'volume', header: text('console.pairs.volume'), align: 'end', cell: (row) => format.number(row.volume, { decimals: 2 }) },
    {
      id: 'winner',
      header: text('console.pairs.winnerBought'),
      align: 'end',
      cell: (row) => format.number(row.winnerBought, { decimals: 2 }),
    },
    {
      id: 'loser',
      header: text('console.pairs.loserBought'),
      align: 'end',
      cell: (row) => format.number(row.loserBought, { decimals: 2 }),
    },
  ];
}

function TradesDialog({ campaignId, winner, loser, close }: Dialogue<void> & SuspiciousPair): ReactElement {
  const text = useText();
  const [page, setPage] = useState(firstPage);
  const trades = usePairTrades({ campaignId, winner: winner.account, loser: loser.account, ...page });
  return (
    <Dialog open onClose={close} width="wide" title={text('console.pairs.tradesTitle', { winner: winner.address, loser: loser.address })}>
      <p className="mb-2 text-sm text-fg2">{text('console.pairs.tradesHint')}</p>
      <PagedTable
        query={pageOf(trades, { page, onChange: setPage })}
        label={text('console.pairs.showTrades')}
        columns={useTradeColumns()}
        keyOf={(row) => `${row.symbol} ${row.at}`}
        empty={text('console.pairs.noTrades')}
      />
    </Dialog>
  );
}

function useColumns(mayShow: boolean): readonly Column<SuspiciousPair>[] {
  const text = useText();
  const format = useFormat();
  const person = ({ account, address }: SuspiciousPair['winner']): ReactElement => (
    <PersonCell kind="CLUSTER" id={account} address={address} mayShow={mayShow} />
  );
  return [
    { id: 'campaign', header: text('console.clusters.campaign'), cell: (row) => row.campaignId },
    { id: 'winner', header: text('console.pairs.winner'), cell: (row) => person(row.winner) },
    { id: 'won', header: text('console.pairs.won'), align: 'end', cell: (row) => format.number(row.won, { decimals: 2 }) },
    { id: 'loser', header: text('console.pairs.loser'), cell: (row) => person(row.loser) },
    { id: 'lost', header: text('console.pairs.lost'), align: 'end', cell: (row) => format.number(row.lost, { decimals: 2 }) },
    {
      id: 'how',
      header: text('console.pairs.how'),
      cell: (row) => text(`console.pairs.kind.${row.kind}`, { between: format.number(row.between, { decimals: 2 }), trades: row.trades }),
    },
    {
      id: 'trades',
      header: '',
      align: 'end',
      cell: (row) => (
        <Button size="small" onClick={() => void openDialog(TradesDialog, row)}>
          {text('console.pairs.showTrades')}
        </Button>
      ),
    },
  ];
}

export function Pairs({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('pairs');
  const list = useList('suspiciousPairs', page);
  return (
    <Section title={text('console.pairs.title')}>
      <p className="px-4 py-2 text-sm text-fg2">{text('console.pairs.hint')}</p>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.pairs.title')}
        columns={useColumns(mayOperate(me.role, 'operator'))}
        keyOf={(row) => `${row.campaignId} ${row.winner.account} ${row.loser.account}`}
        empty={text('console.pairs.empty')}
      />
    </Section>
  );
}

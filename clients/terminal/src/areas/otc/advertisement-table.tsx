/** Advertisements of others, the best price first, each with the way to take it. On a phone each is a card. */
import type { OtcAdvertisement } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { PageOf } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useIsWide } from '../../kit/ui/use-is-wide.ts';
import { coinName } from '../balances/coin-name.ts';
import { requireTerms } from '../onboarding/actions.ts';
import { takerSideOf } from './otc-total.ts';
import { Trader } from './trader.tsx';
import { useOtcWords, useOwnTrader } from './use-otc.ts';

const TakeDialog = lazyDialog(async () => (await import('./take-dialog.tsx')).TakeDialog);

/** @param total what the order is to cost, to begin with */
export async function take(advertisement: OtcAdvertisement, total = ''): Promise<void> {
  if (await requireTerms()) await openDialog(TakeDialog, { advertisement, total });
}

interface RowProps {
  readonly row: OtcAdvertisement;
}

function Take({ row, total }: RowProps & { readonly total: string }): ReactElement {
  const text = useText();
  const side = takerSideOf(row);
  const own = useOwnTrader().value?.traderId;
  if (row.trader.traderId === own) return <span className="text-fg3">{text('otc.yours')}</span>;
  const name = text(`otc.takeFrom.${side}`, { coin: coinName(row.coin), name: row.trader.nickname });
  return (
    <Button
      size="small"
      kind={side === 'BUY' ? 'up' : 'down'}
      aria-label={name}
      className="max-tablet:h-9 max-tablet:px-4"
      disabled={!row.takeable}
      onClick={() => void take(row, total)}
    >
      {text(`otc.take.${side}`)}
    </Button>
  );
}

function Price({ row }: RowProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  if (row.price === null) return <span className="text-fg3">{text('otc.ads.failedPrice')}</span>;
  return (
    <span className="text-md">
      <span className="text-lg font-semibold tabular-nums">{words.number(row.price)}</span>{' '}
      <span className="text-fg3">{text(`otcName.currency.${row.currency}`)}</span>
    </span>
  );
}

function Limits({ row: { minTotal, maxTotal, currency, available, coin } }: RowProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  return (
    <span className="flex flex-col py-1.5 tabular-nums">
      <span>{words.short(available, coin)}</span>
      <span className="text-fg3">
        {text('otc.limits.range', {
          min: words.number(minTotal),
          max: words.number(maxTotal),
          currency: text(`otcName.currency.${currency}`),
        })}
      </span>
    </span>
  );
}

function Offered({ row: { side, coin } }: RowProps): ReactElement {
  const text = useText();
  return <span className="font-semibold">{`${text(side === 'SELL' ? 'otc.person.sells' : 'otc.person.buys')} ${coinName(coin)}`}</span>;
}

interface Shown {
  readonly total: string;
  /** Of one person only: the name stands above. */
  readonly of?: 'all' | 'one' | undefined;
}

function useColumns({ total, of = 'all' }: Shown): readonly Column<OtcAdvertisement>[] {
  const text = useText();
  const words = useOtcWords();
  return [
    of === 'all'
      ? { id: 'trader', header: text('otc.trader'), cell: (row) => <Trader trader={row.trader} /> }
      : {
          id: 'side',
          header: text('otc.side'),
          cell: (row) => <Offered row={row} />,
        },
    { id: 'price', header: text('otc.price'), align: 'end', cell: (row) => <Price row={row} /> },
    { id: 'limits', header: `${text('otc.available')} / ${text('otc.limits')}`, align: 'end', cell: (row) => <Limits row={row} /> },
    {
      id: 'kinds',
      header: text('otc.kind'),
      cell: (row) => <span className="block max-w-44 whitespace-normal">{words.kinds(row.paymentKinds)}</span>,
    },
    {
      id: 'take',
      header: <span className="sr-only">{text('otc.market')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => <Take row={row} total={total} />,
    },
  ];
}

function useNarrowColumns({ total, of = 'all' }: Shown): readonly Column<OtcAdvertisement>[] {
  const text = useText();
  const words = useOtcWords();
  return [
    {
      id: 'advertisement',
      header: text('otc.ads'),
      cell: (row) => (
        <div className="flex flex-col gap-1 py-2 whitespace-normal">
          {of === 'all' ? <Trader trader={row.trader} /> : <Offered row={row} />}
          <div className="flex items-end justify-between gap-3">
            <div className="flex flex-col">
              <Price row={row} />
              <Limits row={row} />
              <span className="text-fg3">{words.kinds(row.paymentKinds)}</span>
            </div>
            <Take row={row} total={total} />
          </div>
        </div>
      ),
    },
  ];
}

interface AdvertisementTableProps extends Shown {
  readonly query: PageOf<OtcAdvertisement>;
  readonly label: string;
  readonly empty: string;
}

export function AdvertisementTable({ query, label, empty, ...shown }: AdvertisementTableProps): ReactElement {
  const [wide, narrow] = [useColumns(shown), useNarrowColumns(shown)];
  const columns = useIsWide() ? wide : narrow;
  return <PagedTable query={query} label={label} columns={columns} keyOf={(row) => row.advertisingId} empty={empty} />;
}

/** Why a position was liquidated: the rule with its numbers, and each step with its prices and who paid. From the records of the exchange alone. */
import type { Liquidation } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { coinName } from '../../../areas/balances/coin-name.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { FailedState } from '../../../kit/ui/empty-state.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useContractMarkets } from '../../../market/use-contracts.ts';
import { coverOf, stepsOf, sumOf } from './liquidation-steps.ts';
import type { LiquidationName } from './liquidation-steps.ts';
import { known } from '../../../kit/ui/loaded.ts';

const LISTED = 100;
/** History has a step a moment after it happened: it is looked for again. */
const POLL_MS = 1_000;

interface Numbers {
  readonly price: (value: string | null) => string;
  readonly money: (value: string) => string;
  readonly size: (value: string) => string;
}

function useNumbers({ pricePrecision, sizePrecision, valueDecimals }: ContractMarket): Numbers {
  const format = useFormat();
  return {
    price: (value) => format.number(value ?? undefined, { decimals: pricePrecision }),
    money: (value) => format.own(value, { decimals: valueDecimals }),
    size: (value) => format.own(value, { decimals: sizePrecision }),
  };
}

function useColumns(market: ContractMarket): readonly Column<Liquidation>[] {
  const text = useText();
  const format = useFormat();
  const { price, money, size } = useNumbers(market);
  const end = (id: string, header: string, cell: (step: Liquidation) => ReactNode): Column<Liquidation> => ({
    id,
    header,
    align: 'end',
    cell,
  });
  return [
    { id: 'time', header: text('trade.time'), wideOnly: true, cell: ({ createdTime }) => format.time(createdTime) },
    { id: 'stage', header: text('why.stage'), cell: ({ stage }) => text(`why.${stage}`) },
    end('mark', text('futures.position.mark'), ({ markPrice }) => price(markPrice)),
    end('equity', text('why.equity'), ({ equity }) => money(equity)),
    end('maintenance', text('why.maintenance'), ({ maintenanceMargin }) => money(maintenanceMargin)),
    end('size', text('why.closed'), (step) => size(step.size)),
    end('price', text('trade.price'), (step) => price(step.price)),
    end('paid', text('why.marginPaid'), ({ fromMargin }) => money(fromMargin)),
  ];
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-fg2">{name}</dt>
      <dd className="text-end">{children}</dd>
    </div>
  );
}

function Sum({ market, steps }: { readonly market: ContractMarket; readonly steps: readonly Liquidation[] }): ReactElement {
  const text = useText();
  const { money, size } = useNumbers(market);
  const sum = sumOf(steps, { size: market.sizePrecision, settle: market.settleDecimals });
  const paid = (['fromMargin', 'fromLiquidator', 'fromInsurance', 'uncovered'] as const).filter(
    (payer) => payer === 'fromMargin' || /[1-9]/.test(sum[payer]),
  );
  return (
    <dl className="flex flex-col gap-1.5 text-md">
      <Line name={text('why.closedInAll')}>
        {size(sum.size)} {market.sizeName}
      </Line>
      {paid.map((payer) => (
        <Line key={payer} name={text(`why.${payer}`)}>
          {money(sum[payer])} {market.settleName}
        </Line>
      ))}
    </dl>
  );
}

function Explanation({ market, steps }: { readonly market: ContractMarket; readonly steps: readonly Liquidation[] }): ReactElement | null {
  const text = useText();
  const columns = useColumns(market);
  const { price, money } = useNumbers(market);
  const [first] = steps;
  if (first === undefined) return null;
  const values = {
    mark: price(first.markPrice),
    equity: money(first.equity),
    maintenance: money(first.maintenanceMargin),
    coin: coinName(first.settleCoin),
    percent: coverOf(first, market.settleDecimals),
  };
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn">
        <p className="font-medium text-fg">{text('why.reason', values)}</p>
        <p className="mt-1">{text('why.rule')}</p>
      </Notice>
      <Table label={text('why.steps')} columns={columns} read={known(steps)} keyOf={({ id }) => id} empty={null} />
      <Sum market={market} steps={steps} />
      <p className="text-sm text-fg2">{text('why.stages')}</p>
    </div>
  );
}

export function LiquidationDialog({ name, close }: Dialogue<true> & { readonly name: LiquidationName }): ReactElement {
  const text = useText();
  const market = useContractMarkets().value?.find(({ wire }) => wire === name.symbol);
  const query = { symbol: name.symbol, page: 1, size: LISTED };
  const read = useData({
    name: 'liquidations',
    input: { query },
    of: 'account',
    pollMs: (known) => (known !== undefined && stepsOf(known.items, name).length > 0 ? undefined : POLL_MS),
  });
  const steps = read.value === undefined ? undefined : stepsOf(read.value.items, name);
  return (
    <Dialog
      open
      onClose={close}
      width="wide"
      title={text('why.title')}
      description={text('why.lead', { symbol: name.symbol.replace('_', '/') })}
    >
      {read.phase === 'failed' && <FailedState onRetry={read.retry} />}
      {read.phase !== 'failed' && (steps === undefined || market === undefined) && <Skeleton className="h-40" />}
      {steps?.length === 0 && <p className="text-fg2">{text('why.notYet')}</p>}
      {market !== undefined && steps !== undefined && <Explanation market={market} steps={steps} />}
    </Dialog>
  );
}

/** The rules of a contract: its steps and bounds, fees, margin tiers, how funding is computed, and what its index is made of. */
import { Link } from '@tanstack/react-router';
import type { CallData, FuturesSymbol, LeverageBracket } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { coinName } from '../../../areas/balances/coin-name.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { UNKNOWN } from '../../../kit/format/number-format.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { useContract } from '../../../market/use-contracts.ts';
import { ratePercent } from '../../../kit/format/rate.ts';
import { IndexSources } from './index-sources.tsx';
import { mapped } from '../../../kit/ui/loaded.ts';

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className="border-b border-line last:border-0">
      <h3 className="px-4 pt-3 pb-1 text-md font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3 border-b border-line py-1.5 text-md">
      <dt className="text-fg3">{term}</dt>
      <dd className="text-end">{children}</dd>
    </div>
  );
}

interface Terms {
  readonly info: FuturesSymbol;
  /** What sizes are counted in. */
  readonly sizeCoin: string;
  readonly settle: string;
}

function useTerms(): Terms {
  const { info, sizeName, settleName } = useContract();
  return { info, sizeCoin: sizeName, settle: settleName };
}

/** A ratio of the wire in per cent, as it is. */
const usePercent = (): ((ratio: string) => string) => {
  const format = useFormat();
  return (ratio) => `${format.number(ratePercent(ratio))}%`;
};

function Steps(): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const { info, sizeCoin, settle } = useTerms();
  const interest = useData({ name: 'openInterest', input: { query: { symbol: info.symbol } }, of: 'everybody', pollMs: 15_000 }).value;
  const size = (value: string): string => `${format.number(value)} ${sizeCoin}`;
  const money = (value: string): string => `${format.number(value)} ${settle}`;
  const quote = coinName(info.quoteCoin);
  return (
    <dl className="grid gap-x-8 px-4 pb-3 @[36rem]:grid-cols-2">
      <Fact term={text('contract.kind')}>{text(`contract.kind.${info.underlyingType}`, { settle })}</Fact>
      <Fact term={text('contract.leverage')}>{info.maxLeverage}×</Fact>
      <Fact term={text('contract.tick')}>
        {format.number(info.tickSize)} {quote}
      </Fact>
      <Fact term={text('contract.lot')}>{size(info.stepSize)}</Fact>
      <Fact term={text('contract.sizes')}>
        {format.number(info.minQty)} – {size(info.maxQty)}
      </Fact>
      <Fact term={text('contract.values')}>
        {format.number(info.minNotional)} – {money(info.maxNotional)}
      </Fact>
      <Fact term={text('contract.limitBand')}>
        {percent(info.multiplierDown)} – {percent(info.multiplierUp)}
      </Fact>
      <Fact term={text('contract.marketBand')}>{percent(info.marketTakeBound)}</Fact>
      <Fact term={text('contract.openInterest')}>{interest === undefined ? UNKNOWN : size(interest.openInterest)}</Fact>
      <Fact term={text('contract.openInterestCap')}>{size(info.openInterestCap)}</Fact>
      <Fact term={text('contract.maker')}>{percent(info.makerFee)}</Fact>
      <Fact term={text('contract.taker')}>{percent(info.takerFee)}</Fact>
      <Fact term={text('contract.openOrders')}>{info.maxOpenOrders}</Fact>
      <Fact term={text('contract.listed')}>{format.time(info.onboardDate)}</Fact>
      <Fact term={text('contract.insurance')}>
        <Link to="/insurance" className="underline underline-offset-3 hover:text-fg2">
          {text('contract.insuranceFund')}
        </Link>
      </Fact>
    </dl>
  );
}

function useTierColumns(): readonly Column<LeverageBracket>[] {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const { settle } = useTerms();
  return [
    { id: 'tier', header: text('contract.tier'), cell: ({ bracket }) => bracket },
    {
      id: 'value',
      header: text('contract.tierValue', { settle }),
      align: 'end',
      cell: ({ minNominalValue, maxNominalValue }) => `${format.number(minNominalValue)} – ${format.number(maxNominalValue)}`,
    },
    { id: 'leverage', header: text('contract.leverage'), align: 'end', cell: ({ maxLeverage }) => `${String(maxLeverage)}×` },
    { id: 'initial', header: text('contract.initial'), align: 'end', wideOnly: true, cell: (row) => percent(row.startMarginRate) },
    { id: 'maintenance', header: text('contract.maintenance'), align: 'end', cell: (row) => percent(row.maintMarginRate) },
    { id: 'deduction', header: text('contract.deduction'), align: 'end', wideOnly: true, cell: (row) => format.number(row.maintDeduction) },
  ];
}

function Tiers(): ReactElement {
  const text = useText();
  const { wire } = useContract();
  const columns = useTierColumns();
  const tiers = useData({ name: 'leverageBracket', input: { query: { symbol: wire } }, of: 'everybody', staleMs: 60_000 });
  return (
    <Table
      label={text('contract.tiers')}
      columns={columns}
      read={mapped(tiers, ({ brackets }) => brackets)}
      keyOf={({ bracket }) => String(bracket)}
      empty={text('contract.noTiers')}
      skeletonRows={3}
    />
  );
}

function Funding(): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const { info, settle } = useTerms();
  return (
    <div className="px-4 pb-3 text-md">
      <p className="mb-2 max-w-[72ch] text-fg2">{text('contract.fundingLead', { hours: info.fundingInterval })}</p>
      <p className="mb-2 rounded border border-line bg-page px-3 py-2 font-mono text-sm">
        {text('contract.formula', { cap: percent(info.maxFundingRate), parts: 8 / info.fundingInterval })}
      </p>
      <dl className="grid gap-x-8 @[36rem]:grid-cols-2">
        <Fact term={text('contract.interest')}>{percent(info.interestRate)}</Fact>
        <Fact term={text('contract.cap')}>±{percent(info.maxFundingRate)}</Fact>
        <Fact term={text('contract.impact')}>
          {format.number(info.impactNotional)} {settle}
        </Fact>
        <Fact term={text('contract.interval')}>{text('contract.hours', { hours: info.fundingInterval })}</Fact>
      </dl>
    </div>
  );
}

type Collateral = CallData['futuresCoins'][number];

function useCollateralColumns(): readonly Column<Collateral>[] {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  return [
    { id: 'coin', header: text('contract.coin'), cell: ({ coin }) => coinName(coin) },
    { id: 'ratio', header: text('contract.counts'), align: 'end', cell: ({ ratio }) => percent(ratio) },
    {
      id: 'cap',
      header: text('contract.most'),
      align: 'end',
      cell: ({ cap }) => (cap === null ? text('contract.noCap') : format.number(cap)),
    },
  ];
}

function Collaterals(): ReactElement {
  const text = useText();
  const { info } = useTerms();
  const columns = useCollateralColumns();
  const coins = useData({ name: 'futuresCoins', of: 'everybody', staleMs: 60_000 });
  const counts = ({ underlyingType, coin }: Collateral): boolean =>
    underlyingType === info.underlyingType && (info.underlyingType === 'U_BASED' || coin === info.settleCoin);
  return (
    <Table
      label={text('contract.collateral')}
      columns={columns}
      read={mapped(coins, (all) => all.filter(counts))}
      keyOf={({ coin }) => coin}
      empty={text('contract.noCollateral')}
      skeletonRows={2}
    />
  );
}

export function ContractDetails(): ReactElement {
  const text = useText();
  return (
    <div className="@container min-h-0 grow overflow-y-auto">
      <Part title={text('contract.rules')}>
        <Steps />
      </Part>
      <Part title={text('contract.tiers')}>
        <Tiers />
      </Part>
      <Part title={text('contract.fundingTitle')}>
        <Funding />
      </Part>
      <Part title={text('contract.sources')}>
        <IndexSources />
      </Part>
      <Part title={text('contract.collateral')}>
        <Collaterals />
      </Part>
    </div>
  );
}

/** Perpetual contracts on the trading page. */
import type { MarketKind } from '../../market/market-kind.tsx';
import { ContractCandles } from './contract-candles.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { wireOf } from '../../platform/feed/perpetual.ts';
import { FuturesTicket } from './futures-ticket.tsx';
import { CONTRACT_SIZE_FIELD } from './ticket/contract-form.ts';
import { editContract } from './ticket/contract-tickets.ts';

/** The chart and the ticket are there before them. */
const Figures = lazyPart(async () => (await import('./contract-figures.tsx')).ContractFigures);
const PhoneFigures = lazyPart(async () => (await import('./phone-figures.tsx')).ContractPhoneFigures);
const FundingHistory = lazyPart(async () => (await import('./details/funding-history.tsx')).FundingHistory);
const ContractDetails = lazyPart(async () => (await import('./details/contract-details.tsx')).ContractDetails);
const Tables = lazyPart(async () => (await import('./contract-tables.tsx')).ContractTables);

const Account = lazyPart(async () => (await import('./margin-account.tsx')).MarginAccounts);
const PracticePanel = lazyPart(async () => (await import('./practice/practice-panel.tsx')).PracticePanel);

export const futuresKind: MarketKind = {
  path: '/trade/futures/$pair',
  pairOf: wireOf,
  favourites: 'none',
  Figures,
  PhoneFigures,
  Summary: undefined,
  Account,
  Practice: PracticePanel,
  Ticket: FuturesTicket,
  Tables,
  Candles: ContractCandles,
  views: [
    { id: 'funding', label: 'futures.view.funding', View: FundingHistory },
    { id: 'details', label: 'futures.view.details', View: ContractDetails },
  ],
  ticket: {
    take: ({ symbol, price, take }) => editContract(symbol, { tab: 'limit', price, ...(take !== undefined && { side: take }) }),
    begin: (symbol, side) => editContract(symbol, { side }),
    focus: () => document.getElementById(CONTRACT_SIZE_FIELD)?.focus(),
  },
};

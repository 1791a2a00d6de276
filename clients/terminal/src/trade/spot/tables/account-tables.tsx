/** The panel below the chart: open orders, history, fills and balances of the account. */
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { refresh } from '../../../platform/data/calls.ts';
import { accountStream } from '../../../platform/data/streams/streams.ts';
import { useAccount } from '../../../platform/data/streams/use-account.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSession } from '../../../platform/session/session.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { openConnect } from '../../../areas/sign-in/connect.tsx';
import { useSignedIn } from '../../shared/account.ts';
import { useLayout } from '../../../kit/ui/use-layout.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { useChoiceInUrl, useFirstPages } from '../../../kit/ui/in-url.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { useTradeSettings } from '../../shared/trade-settings.ts';
import { OpenOrders } from './open-orders.tsx';
import { useCancelAll } from '../../shared/tables/use-cancel.ts';

const TABLES = ['open', 'history', 'fills', 'balances'] as const;
type TableName = (typeof TABLES)[number];

/** Loaded when they are first looked at: what sorts, chooses columns and writes files is not needed to trade. */
const Fills = lazyPart(async () => (await import('./fills.tsx')).Fills);
const SpotBalances = lazyPart(async () => (await import('./spot-balances.tsx')).SpotBalances);
const OrderHistory = lazyPart(async () => (await import('./order-history.tsx')).OrderHistory);

/** An event of the stream makes the pages of history stale. The projection has it a moment later, on a busy machine a longer one. */
const SETTLE_MS = [400, 2_000, 8_000];

function useFreshHistory(): void {
  useEffect(() => {
    let timers: readonly ReturnType<typeof setTimeout>[] = [];
    const forget = (): void => {
      for (const timer of timers) clearTimeout(timer);
    };
    const readAgain = (): void => {
      forget();
      timers = SETTLE_MS.map((ms) => setTimeout(() => void refresh('orderHistory', 'fills'), ms));
    };
    const stop = accountStream.onNews(readAgain);
    // Something may have happened a moment before the tables are shown.
    readAgain();
    return () => {
      forget();
      stop();
    };
  }, []);
}

function TableControls({ table }: { readonly table: TableName }): ReactElement {
  const text = useText();
  const market = useMarket();
  const orders = useAccount().value?.orders ?? [];
  const { onlyThisMarket, setOnlyThisMarket } = useTradeSettings();
  const hideSmall = useSettings((settings) => settings.hideSmallBalances);
  const set = useSettings((settings) => settings.set);
  const { isBusy, cancelAll } = useCancelAll();
  const toFirstPages = useFirstPages();
  const filter = (only: boolean): void => {
    setOnlyThisMarket(only);
    toFirstPages();
  };
  const symbol = onlyThisMarket ? market.symbol : undefined;
  const isEmpty = !orders.some((order) => symbol === undefined || order.symbol === symbol);
  return (
    <div className="flex items-center gap-3 text-sm [&_label]:text-sm">
      {table === 'balances' ? (
        <Checkbox value={hideSmall} onChange={(isHidden) => set('hideSmallBalances', isHidden)}>
          {text('trade.tables.hideSmall')}
        </Checkbox>
      ) : (
        <Checkbox value={onlyThisMarket} onChange={filter}>
          {text('trade.tables.thisMarket')}
        </Checkbox>
      )}
      {table === 'open' && (
        <Button size="small" kind="quiet" className="h-6" busy={isBusy} disabled={isEmpty} onClick={() => cancelAll(symbol)}>
          {text('trade.tables.cancelAll')}
        </Button>
      )}
    </div>
  );
}

function TableOf({ table, symbol }: { readonly table: TableName; readonly symbol: string | undefined }): ReactElement {
  switch (table) {
    case 'open':
      return <OpenOrders symbol={symbol} />;
    case 'history':
      return <OrderHistory symbol={symbol} />;
    case 'fills':
      return <Fills symbol={symbol} />;
    case 'balances':
      return <SpotBalances />;
  }
}

function SignedOut(): ReactElement {
  const text = useText();
  const hasWallet = useSession(({ phase }) => phase !== 'disconnected');
  return (
    <EmptyState>
      <p>{text('trade.tables.signedOut')}</p>
      <Button size="small" onClick={() => void openConnect()}>
        {text(hasWallet ? 'wallet.signIn' : 'wallet.connect')}
      </Button>
    </EmptyState>
  );
}

export function AccountTables(): ReactElement {
  const text = useText();
  const market = useMarket();
  const isSignedIn = useSignedIn();
  const orders = useAccount().value?.orders ?? [];
  const { onlyThisMarket } = useTradeSettings();
  const [table, setTable] = useChoiceInUrl({ name: 'table', values: TABLES, usual: 'open' });
  // Beside four tabs a phone has no room for them.
  const layout = useLayout();
  useFreshHistory();
  const symbol = onlyThisMarket ? market.symbol : undefined;
  const tabs = TABLES.map((id) => ({
    id,
    label: id === 'open' && orders.length > 0 ? text('trade.tables.openCount', { count: orders.length }) : text(`trade.tables.${id}`),
  }));
  return (
    <Tabs
      tabs={tabs}
      value={table}
      onChange={setTable}
      label={text('trade.tables.label')}
      panel={text('trade.panel.tables')}
      className="h-full"
      aside={isSignedIn && layout !== 'phone' && <TableControls table={table} />}
    >
      <TabPanel id={table} className="overflow-y-auto">
        {isSignedIn && layout === 'phone' && (
          <div className="flex h-9 items-center justify-end border-b border-line px-2.5">
            <TableControls table={table} />
          </div>
        )}
        {isSignedIn ? (
          <Panel loading={<Skeleton className="m-3" />}>
            <TableOf table={table} symbol={symbol} />
          </Panel>
        ) : (
          <SignedOut />
        )}
      </TabPanel>
    </Tabs>
  );
}

/** The panel below the chart: positions, and orders that stand or wait. */
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { openConnect } from '../../areas/sign-in/connect.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Menu, MenuCheck, MenuItem } from '../../kit/ui/menu.tsx';
import { TabPanel, Tabs } from '../../kit/ui/tabs.tsx';
import { useLayout } from '../../kit/ui/use-layout.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { useChoiceInUrl, useFirstPages } from '../../kit/ui/in-url.ts';
import { useCancelAll } from '../shared/tables/use-cancel.ts';
import { useSignedIn } from '../shared/account.ts';
import { useTradeSettings } from '../shared/trade-settings.ts';
import { ALL_OF } from './all-of-orders.ts';
import { useContractOrders, useFreshRecords, usePositions, useTwaps } from './account.ts';
import { useContract } from '../../market/use-contracts.ts';
import { ContractOrdersTable } from './orders/contract-orders.tsx';
import type { OrderList } from './orders/contract-orders.tsx';
import { PositionsTable } from './positions/positions-table.tsx';

const CloseAllDialog = lazyDialog(async () => (await import('./positions/close-all-dialog.tsx')).CloseAllDialog);

/** What is over, and what few people use, comes when it is asked for. */
const TwapsTable = lazyPart(async () => (await import('./records/twaps-table.tsx')).TwapsTable);
const PositionHistory = lazyPart(async () => (await import('./records/position-history.tsx')).PositionHistory);
const ContractOrderHistory = lazyPart(async () => (await import('./records/order-history.tsx')).ContractOrderHistory);
const ContractFills = lazyPart(async () => (await import('./records/fills.tsx')).ContractFills);
const FundingPayments = lazyPart(async () => (await import('./records/funding-payments.tsx')).FundingPayments);

const TABLES = ['positions', 'open', 'plans', 'stops', 'twaps', 'orders', 'fills', 'history', 'funding'] as const;
type TableName = (typeof TABLES)[number];

function useCounts(): Readonly<Record<TableName, number>> {
  const { open, plans, stops } = useContractOrders();
  const positions = usePositions().value;
  const twaps = useTwaps().value;
  return {
    positions: positions?.length ?? 0,
    open: open.value?.length ?? 0,
    plans: plans.value?.length ?? 0,
    stops: stops.value?.length ?? 0,
    twaps: twaps?.length ?? 0,
    orders: 0,
    fills: 0,
    history: 0,
    funding: 0,
  };
}

const isOrderList = (table: TableName): table is OrderList => table === 'open' || table === 'plans' || table === 'stops';

/** What can be done to all that the table lists. */
function allOf({ table, cancelAll }: { readonly table: TableName; readonly cancelAll: () => void }) {
  if (table === 'positions') return { name: 'futures.closeAll.open', act: () => void openDialog(CloseAllDialog, {}) } as const;
  return isOrderList(table) ? ({ name: 'trade.tables.cancelAll', act: cancelAll } as const) : undefined;
}

function Controls({ table, count }: { readonly table: TableName; readonly count: number }): ReactElement {
  const text = useText();
  const { wire } = useContract();
  const { onlyThisMarket, setOnlyThisMarket } = useTradeSettings();
  const toFirstPages = useFirstPages();
  const filter = (only: boolean): void => {
    setOnlyThisMarket(only);
    toFirstPages();
  };
  const { isBusy, cancelAll } = useCancelAll(isOrderList(table) ? ALL_OF[table] : undefined);
  const layout = useLayout();
  // Beside nine names there is room for a menu only.
  const isShort = layout === 'medium' || layout === 'narrow';
  const all = allOf({ table, cancelAll: () => cancelAll(onlyThisMarket ? wire : undefined) });
  if (isShort)
    return (
      <Menu
        trigger={
          <IconButton label={text('futures.tables.more')} className="size-6" aria-disabled={isBusy}>
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuCheck value={onlyThisMarket} onChange={filter}>
          {text('trade.tables.thisMarket')}
        </MenuCheck>
        {all !== undefined && (
          <MenuItem disabled={count === 0} onSelect={all.act}>
            {text(all.name)}
          </MenuItem>
        )}
      </Menu>
    );
  return (
    <div className="flex items-center gap-3 text-sm whitespace-nowrap [&_label]:text-sm">
      <Checkbox value={onlyThisMarket} onChange={filter}>
        {text('trade.tables.thisMarket')}
      </Checkbox>
      {all !== undefined && (
        <Button size="small" kind="quiet" className="h-6" busy={isBusy} disabled={count === 0} onClick={all.act}>
          {text(all.name)}
        </Button>
      )}
    </div>
  );
}

function TableOf({ table, wire }: { readonly table: TableName; readonly wire: string | undefined }): ReactElement {
  switch (table) {
    case 'positions':
      return <PositionsTable wire={wire} />;
    case 'twaps':
      return <TwapsTable wire={wire} />;
    case 'orders':
      return <ContractOrderHistory wire={wire} />;
    case 'fills':
      return <ContractFills wire={wire} />;
    case 'history':
      return <PositionHistory wire={wire} />;
    case 'funding':
      return <FundingPayments wire={wire} />;
    case 'open':
    case 'plans':
    case 'stops':
      return <ContractOrdersTable list={table} wire={wire} />;
  }
}

export function ContractTables(): ReactElement {
  const text = useText();
  const { wire } = useContract();
  const isSignedIn = useSignedIn();
  const [table, setTable] = useChoiceInUrl({ name: 'table', values: TABLES, usual: 'positions' });
  const counts = useCounts();
  useFreshRecords();
  const { onlyThisMarket } = useTradeSettings();
  const only = onlyThisMarket ? wire : undefined;
  const layout = useLayout();
  const tabs = TABLES.map((id) => ({
    id,
    label:
      counts[id] > 0
        ? text('futures.tables.count', { name: text(`futures.tables.${id}`), count: counts[id] })
        : text(`futures.tables.${id}`),
  }));
  return (
    <Tabs
      tabs={tabs}
      value={table}
      onChange={setTable}
      label={text('trade.tables.label')}
      panel={text('trade.panel.tables')}
      className="h-full"
      aside={isSignedIn && layout !== 'phone' && <Controls table={table} count={counts[table]} />}
    >
      <TabPanel id={table} className="overflow-y-auto">
        {/* Beside the names there is no room for them. */}
        {isSignedIn && layout === 'phone' && (
          <div className="flex h-9 items-center justify-end border-b border-line px-2.5">
            <Controls table={table} count={counts[table]} />
          </div>
        )}
        {isSignedIn ? (
          <Panel>
            <TableOf table={table} wire={only} />
          </Panel>
        ) : (
          <EmptyState>
            <p>{text('futures.tables.signedOut')}</p>
            <Button size="small" onClick={() => void openConnect()}>
              {text('wallet.connect')}
            </Button>
          </EmptyState>
        )}
      </TabPanel>
    </Tabs>
  );
}

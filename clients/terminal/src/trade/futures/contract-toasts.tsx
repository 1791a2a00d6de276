/** Toasts and notifications for what happens to the account in contracts, whichever client caused it. */
import type { FuturesFill, FuturesOrder, Liquidation, OwnTwap } from '@orrery/api';
import { coinName } from '../../areas/balances/coin-name.ts';
import type { ContractNews } from '../../platform/data/streams/streams.ts';
import { sumDecimals } from '../../kit/format/decimal.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { say } from '../../kit/i18n/text.tsx';
import { notify } from '../../areas/notifications/notify.ts';
import { heard } from '../../kit/settings/heard.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { contractsListed } from '../../market/use-contracts.ts';
import { showInfo, showSuccess, showToast } from '../../kit/ui/toast.ts';
import { rememberAnnounced } from '../shared/orders/announced-orders.ts';

export async function toastContract(news: ContractNews): Promise<void> {
  if (news.kind === 'trade') {
    heard('fill');
    rememberProfit(news.fill);
  }
  if (news.kind === 'order' && isShown(news.order)) toastOrder(news.order, await namesOf(news.order.symbol));
  if (news.kind === 'liquidation') toastLiquidation(news.step);
  if (news.kind === 'twap' && news.twap.ended !== null) toastTwap(news.twap.ended, (await namesOf(news.twap.ended.symbol)).coin);
}

interface Names {
  /** What sizes are counted in. */
  readonly coin: string;
  readonly settle: string;
  readonly decimals: number;
}

/** Without the list of contracts a size is shown without its unit: a wrong one would be another order. */
async function namesOf(symbol: string): Promise<Names> {
  const markets = await contractsListed().catch(() => []);
  const market = markets.find(({ wire }) => wire === symbol);
  return { coin: market?.sizeName ?? '', settle: market?.settleName ?? '', decimals: market?.valueDecimals ?? 0 };
}

/** What the fills of the newest orders have realised: they come before the end of their order. */
const profits = new Map<string, readonly string[]>();
const PROFITS_MAX = 50;

function rememberProfit({ orderId, closeProfit }: FuturesFill): void {
  if (!/[1-9]/.test(closeProfit)) return;
  profits.set(orderId, [...(profits.get(orderId) ?? []), closeProfit]);
  const [oldest] = profits.keys();
  if (profits.size > PROFITS_MAX && oldest !== undefined) profits.delete(oldest);
}

/** Empty for an order that has closed nothing. */
function profitOf(orderId: string, { settle, decimals }: Names): string {
  const parts = profits.get(orderId);
  if (parts === undefined || settle === '') return '';
  const format = useSettings.getState().numberFormat;
  const amount = formatDecimal(sumDecimals(parts), { format, decimals, sign: 'always' });
  return say('futures.done.profit', { amount, coin: settle });
}

const LiquidationDialog = lazyDialog(async () => (await import('./records/liquidation-dialog.tsx')).LiquidationDialog);

const shownName = (symbol: string): string => symbol.replace('_', '/');

/** Where the page of a contract shows why a position was liquidated. */
const addressOf = ({ symbol, liquidationId }: Liquidation): string => `/trade/futures/${symbol}?liquidation=${liquidationId}`;

/** Liquidations that were shown: each has several steps. */
const shown = new Set<string>();

function toastLiquidation(step: Liquidation): void {
  const { symbol, liquidationId } = step;
  if (shown.has(liquidationId)) return;
  shown.add(liquidationId);
  const format = useSettings.getState().numberFormat;
  const number = (text: string, decimals?: number): string => formatDecimal(text, { format, ...(decimals !== undefined && { decimals }) });
  const title = say('futures.liquidated.title', { symbol: shownName(symbol) });
  const detail = say('futures.liquidated.detail', {
    mark: number(step.markPrice),
    equity: number(step.equity, 2),
    maintenance: number(step.maintenanceMargin, 2),
    coin: coinName(step.settleCoin),
  });
  const why = (): void => void openDialog(LiquidationDialog, { name: { symbol, liquidationId } });
  const action = (
    <Button size="small" className="mt-2" onClick={why}>
      {say('why.title')}
    </Button>
  );
  showToast({ tone: 'error', message: title, detail, action });
  notify({ id: `liquidation ${liquidationId}`, category: 'orders', title, detail, link: addressOf(step) });
}

/** What placed an order has words; a liquidation has its own. */
const SOURCES = {
  ENTRUST: 'ENTRUST',
  PROFIT: 'PROFIT',
  TWAP: 'TWAP',
  CLOSE_ALL: 'CLOSE_ALL',
  DEFAULT: undefined,
  LIQUIDATION: undefined,
} as const;

/** What the owner did, or what followed from it, is no news. */
const EXPECTED: ReadonlySet<FuturesOrder['closeReason']> = new Set<FuturesOrder['closeReason']>([
  null,
  'filled',
  'canceledByAccount',
  'replaced',
  'closeAll',
  'groupTriggered',
  'parentClosed',
  'positionClosed',
  'scheduledCancel',
]);

/** Why an order ended before it was filled, where that is news. */
const earlyOf = ({ closeReason }: FuturesOrder): string | undefined =>
  closeReason === null || EXPECTED.has(closeReason) ? undefined : say(`trade.reason.${closeReason}`);

const hasFills = ({ executedQty }: FuturesOrder): boolean => /[1-9]/.test(executedQty);

const isShown = (order: FuturesOrder): boolean =>
  !order.forceClose && (order.state === 'FILLED' || order.state === 'CANCELED') && (hasFills(order) || earlyOf(order) !== undefined);

function toastOrder(order: FuturesOrder, names: Names): void {
  const { orderId, clientOrderId, symbol, orderSide, executedQty, avgPrice, state, sourceType, orderType } = order;
  const isFilled = hasFills(order);
  const early = earlyOf(order);
  const format = useSettings.getState().numberFormat;
  const key = orderSide === 'BUY' ? 'trade.done.bought' : 'trade.done.sold';
  const values = { size: formatDecimal(executedQty, { format }), coin: names.coin };
  const message = isFilled ? say(key, values) : say('futures.done.ended', { symbol: shownName(symbol) });
  const at =
    avgPrice === null || !isFilled ? '' : say('futures.done.at', { symbol: shownName(symbol), price: formatDecimal(avgPrice, { format }) });
  const source = SOURCES[sourceType];
  const part = early === undefined ? '' : partOf(order, names.coin, early);
  const detail = [source === undefined ? '' : say(`futures.source.${source}`), at, profitOf(orderId, names), part]
    .filter((text) => text !== '')
    .join(' · ');
  notify({ id: `contract order ${orderId}`, category: 'orders', title: message, detail });
  rememberAnnounced(clientOrderId);
  // Who has just closed everything has been answered contract by contract: that answer must stay in sight.
  if (source === 'CLOSE_ALL' && orderType === 'MARKET') return;
  if (state === 'FILLED') showSuccess(key, { values, detail });
  else showInfo(message, detail);
}

function toastTwap({ twapId, symbol, executedQty, origQty, closeReason }: NonNullable<OwnTwap['ended']>, coin: string): void {
  const format = useSettings.getState().numberFormat;
  const title = say('futures.done.twapEnded', { symbol: shownName(symbol) });
  const detail =
    executedQty === origQty
      ? `${formatDecimal(executedQty, { format })} ${coin}`
      : partOf({ executedQty, origQty }, coin, say(`futures.twapEnd.${closeReason}`));
  notify({ id: `twap ${twapId}`, category: 'orders', title, detail });
  if (closeReason !== 'canceledByAccount') showInfo(title, detail);
}

/** What of an order was filled, and why not the rest. */
function partOf({ executedQty, origQty }: Pick<FuturesOrder, 'executedQty' | 'origQty'>, coin: string, reason: string): string {
  const format = useSettings.getState().numberFormat;
  const size = formatDecimal(executedQty, { format });
  return origQty === null ? reason : say('futures.done.part', { size, asked: formatDecimal(origQty, { format }), coin, reason });
}

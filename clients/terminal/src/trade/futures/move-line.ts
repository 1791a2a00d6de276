/** A line that was dragged on the chart: an order or what protects a position gets its new price after a question, a position's own line protects it there. */
import type { FuturesOrder, Position, ProfitStopTerms } from '@orrery/api';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { say } from '../../kit/i18n/text.tsx';
import type { TextValues } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { showMoved } from '../shared/orders/moved-toast.tsx';
import { canonical } from '../shared/ticket/ticket-text.ts';
import { change } from './account.ts';
import { protectionAt } from './contract-lines.ts';
import type { ContractMarket } from '../../market/contract-market.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

const ProtectDialog = lazyDialog(async () => (await import('./positions/protect-dialog.tsx')).ProtectDialog);

export interface MovedLine {
  /** Of the line: its kind, a colon and the name of what it is of. */
  readonly id: string;
  /** Decimal text, on the grid of the contract. */
  readonly price: string;
  readonly market: ContractMarket;
  readonly positions: readonly Position[];
  readonly open: readonly FuturesOrder[];
  readonly stops: readonly ProfitStopTerms[];
}

/** What was refused has been said in a toast, and the line is where it was. */
export async function moveLine(moved: MovedLine): Promise<void> {
  const { id, market, positions, open, stops } = moved;
  const [kind, name] = id.split(':');
  const order = open.find(({ orderId }) => orderId === name);
  if (kind === 'order' && order !== undefined) await moveOrder(order, moved).catch(() => undefined);
  const stop = stops.find(({ profitId }) => profitId === name);
  if (kind === 'stop' && stop !== undefined) await moveStop(stop, moved).catch(() => undefined);
  const position = positions.find(({ positionSide, symbol }) => positionSide === name && symbol === market.wire);
  const price = canonical(moved.price);
  if (kind === 'entry' && position !== undefined)
    await openDialog(ProtectDialog, { market, position, [protectionAt(position, price)]: price });
}

async function moveOrder(
  { orderId, orderSide, origQty, executedQty, price: from }: FuturesOrder,
  { price, market }: MovedLine,
): Promise<void> {
  const format = useSettings.getState().numberFormat;
  const words = {
    side: say(orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: `${formatDecimal(executedQty, { format })} / ${formatDecimal(origQty ?? '0', { format })}`,
    coin: market.sizeName,
  };
  const by = actor();
  if (!(await isWanted('futures.line.orderMoves', { from, to: price, market }, words))) return;
  const moved = await change('updateFuturesOrder', { orderId, price: canonical(price) }, by);
  if (from === null) return;
  showMoved({ message: 'trade.done.amended', undo: () => change('updateFuturesOrder', { orderId: moved, price: from }, by) });
}

async function moveStop(stop: ProfitStopTerms, { price, market }: MovedLine): Promise<void> {
  const { profitId, triggerProfitPrice, triggerStopPrice } = stop;
  const by = actor();
  const isProfit = triggerProfitPrice !== null;
  const from = isProfit ? triggerProfitPrice : triggerStopPrice;
  if (!(await isWanted(isProfit ? 'futures.line.profitMoves' : 'futures.line.stopMoves', { from, to: price, market }))) return;
  const to = (id: string, trigger: string): Promise<string> =>
    change('updateProfitStop', { profitId: id, ...(isProfit ? { triggerProfitPrice: trigger } : { triggerStopPrice: trigger }) }, by);
  const moved = await to(profitId, canonical(price));
  if (from !== null) showMoved({ message: 'futures.line.protectionMoved', undo: () => to(moved, from) });
}

interface Way {
  readonly from: string | null;
  readonly to: string;
  readonly market: ContractMarket;
}

/** The question before an order of the ticket is another one: who wants none there may want this one. */
async function isWanted(lead: MessageId, { from, to, market }: Way, words: TextValues = {}): Promise<boolean> {
  const { confirmMovedLines, numberFormat: format } = useSettings.getState();
  if (!confirmMovedLines) return true;
  const shown = (price: string): string => formatDecimal(price, { format, decimals: market.pricePrecision });
  const values = { ...words, from: from === null ? '—' : shown(from), to: shown(to), quote: market.quoteName };
  const question = {
    title: say('confirm.move.title'),
    lead: say(lead, values),
    action: say('trade.tables.amend'),
    kind: 'primary',
  } as const;
  return (await openDialog(ConfirmDialog, question)) === true;
}

/** Cancelling orders: one, or all of a market or of the account. */
import { act } from '../../../platform/data/calls.ts';
import { usePending } from '../../../platform/data/use-pending.ts';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { actor } from '../../../kit/storage/account-in-view.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

const ConfirmDialog = lazyDialog(async () => (await import('../../../kit/ui/confirm-dialog.tsx')).ConfirmDialog);

export interface Cancelling {
  /** Orders whose cancel is on its way. */
  readonly isCancelling: (orderId: string) => boolean;
  readonly cancel: (orderId: string) => void;
}

export function useCancel(): Cancelling {
  const { pending, begin } = usePending((orderId: string) => act('cancelOrder', { body: { orderId } }, actor()));
  return { isCancelling: (orderId) => pending?.input === orderId, cancel: begin };
}

export interface CancellingAll {
  readonly isBusy: boolean;
  /** Every market when there is no symbol. */
  readonly cancelAll: (symbol: string | undefined) => void;
}

/** Of a symbol, or of every one. Resolves with the orders that it cancelled. */
type CancelOrders = (symbol: string | undefined, by: By) => Promise<readonly string[]>;

const cancelSpot: CancelOrders = (symbol, by) => act('cancelAllOrders', { body: { ...(symbol !== undefined && { symbol }) } }, by);

interface Asked {
  readonly symbol: string | undefined;
  readonly by: By;
}

/** What is cancelled, in the words of the question. */
export interface AllOf {
  readonly cancel: CancelOrders;
  readonly everywhere: MessageId;
  readonly here: MessageId;
}

const SPOT: AllOf = { cancel: cancelSpot, everywhere: 'trade.tables.cancelAllEverywhere', here: 'trade.tables.cancelAllHere' };

export function useCancelAll({ cancel, everywhere, here }: AllOf = SPOT): CancellingAll {
  const { pending, begin } = usePending(async ({ symbol, by }: Asked) => {
    const { length: count } = await cancel(symbol, by);
    showSuccess('trade.done.cancelledMany', { values: { count } });
  });
  const asksFirst = useSettings((settings) => settings.confirmAgain);
  const start = async (symbol: string | undefined): Promise<void> => {
    const by = actor();
    const lead = symbol === undefined ? say(everywhere) : say(here, { symbol: symbol.replace('_', '/') });
    const question = {
      title: say('trade.tables.cancelAllTitle'),
      lead,
      action: say('trade.tables.cancelAll'),
      keep: say('trade.tables.keepOrders'),
    };
    if (!asksFirst || (await openDialog(ConfirmDialog, question)) === true) begin({ symbol, by });
  };
  return { isBusy: pending !== undefined, cancelAll: (symbol) => void start(symbol) };
}

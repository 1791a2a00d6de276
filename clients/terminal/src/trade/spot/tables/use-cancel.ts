/** Cancelling orders: one, or all of a market or of the account. */
import { useMutation } from '@tanstack/react-query';
import { http } from '../../../client/client.ts';
import { say } from '../../../i18n/text.tsx';
import { useSettings } from '../../../settings/settings.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { openDialog } from '../../../ui/dialogs.tsx';
import { showSuccess } from '../../../ui/toast.ts';

export interface Cancelling {
  /** Orders whose cancel is on its way. */
  readonly isCancelling: (orderId: string) => boolean;
  readonly cancel: (orderId: string) => void;
}

export function useCancel(): Cancelling {
  const cancel = useMutation({ mutationFn: (orderId: string) => http.call('cancelOrder', { body: { orderId } }) });
  return {
    isCancelling: (orderId) => cancel.isPending && cancel.variables === orderId,
    cancel: (orderId) => cancel.mutate(orderId),
  };
}

export interface CancellingAll {
  readonly isBusy: boolean;
  /** Every market when there is no symbol. */
  readonly cancelAll: (symbol: string | undefined) => void;
}

export function useCancelAll(): CancellingAll {
  const cancelAll = useMutation({
    mutationFn: (symbol: string | undefined) => http.call('cancelAllOrders', { body: symbol === undefined ? {} : { symbol } }),
    onSuccess: (orderIds) => showSuccess(say('trade.done.cancelledMany', { count: orderIds.length })),
  });
  const asksFirst = useSettings((settings) => settings.confirmAgain);
  const start = async (symbol: string | undefined): Promise<void> => {
    const lead = symbol === undefined ? say('trade.tables.cancelAllEverywhere') : say('trade.tables.cancelAllHere', { symbol });
    const question = {
      title: say('trade.tables.cancelAllTitle'),
      lead,
      action: say('trade.tables.cancelAll'),
      keep: say('trade.tables.keepOrders'),
    };
    if (!asksFirst || (await openDialog(ConfirmDialog, question)) === true) cancelAll.mutate(symbol);
  };
  return { isBusy: cancelAll.isPending, cancelAll: (symbol) => void start(symbol) };
}

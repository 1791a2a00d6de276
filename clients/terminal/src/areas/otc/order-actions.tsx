/** What the person can do about an order, each with the reason where it cannot be done yet. */
import type { OtcOrderDetail } from '@orrery/api';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { formatCountdown } from '../../kit/format/time.ts';
import { say, useText } from '../../kit/i18n/text.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import type { ButtonProps } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { act, refresh } from '../../platform/data/calls.ts';
import { usePending } from '../../platform/data/use-pending.ts';
import { coinName } from '../balances/coin-name.ts';
import { standingsOf } from './order-standing.ts';
import type { Standing } from './order-standing.ts';

const ReleaseDialog = lazyDialog(async () => (await import('./release-dialog.tsx')).ReleaseDialog);
const AppealDialog = lazyDialog(async () => (await import('./appeal-dialog.tsx')).AppealDialog);

const SECOND_MS = 1_000;

/** The chat says each step too. */
const readAgain = (): Promise<void> => refresh('otcOrder', 'otcMessages', 'otcOrders', 'balances');

async function pay({ orderId, total, currency }: OtcOrderDetail): Promise<void> {
  const by = actor();
  const question = {
    title: say('otc.act.paidTitle'),
    lead: say('otc.act.paidLead', { total, currency: say(`otcName.currency.${currency}`) }),
    action: say('otc.act.paid'),
    keep: say('otc.act.notYet'),
    kind: 'primary' as const,
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  try {
    await act('markOtcOrderPaid', { body: { orderId } }, by);
    showSuccess('otc.act.paidDone');
  } finally {
    // A refusal says that the order has gone on.
    await readAgain();
  }
}

async function cancel({ orderId, status }: OtcOrderDetail): Promise<void> {
  const by = actor();
  const question = {
    title: say('otc.act.cancelTitle'),
    lead: say(status === 'PAID' ? 'otc.act.cancelPaid' : 'otc.act.cancelCreated'),
    action: say('otc.act.cancel'),
    keep: say('otc.act.keep'),
  };
  if ((await openDialog(ConfirmDialog, question)) !== true) return;
  try {
    await act('cancelOtcOrder', { body: { orderId } }, by);
    showSuccess('otc.act.cancelDone');
  } finally {
    await readAgain();
  }
}

async function release(order: OtcOrderDetail): Promise<void> {
  await openDialog(ReleaseDialog, { order });
  await readAgain();
}

async function appeal(order: OtcOrderDetail, kind: 'DISPUTE' | 'EVIDENCE' | 'APPEAL'): Promise<void> {
  await openDialog(AppealDialog, { order, kind });
  await readAgain();
}

interface ActProps extends Pick<ButtonProps, 'kind' | 'busy'> {
  readonly standing: Standing;
  readonly label: string;
  readonly onAct: () => void;
}

/** Where it cannot be done yet the button keeps its place, and the reason stands beside it. */
function Act({ standing, label, onAct, ...look }: ActProps): ReactElement | null {
  const text = useText();
  const id = useId();
  const now = useServerNow(SECOND_MS);
  if (standing === 'never') return null;
  if (standing === 'now')
    return (
      <Button size="large" {...look} onClick={onAct}>
        {label}
      </Button>
    );
  const left = formatCountdown((standing.at ?? now) - now);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="large" aria-disabled aria-describedby={id}>
        {label}
      </Button>
      <span id={id} className="text-sm text-fg3 tabular-nums">
        {text(standing.reason, { left })}
      </span>
    </span>
  );
}

export function OrderActions({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const now = useServerNow(SECOND_MS);
  const { pending, begin } = usePending((work: () => Promise<void>) => work());
  const busy = pending !== undefined;
  const standings = standingsOf(order, now);
  const coin = coinName(order.coin);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 empty:hidden">
      <Act kind="primary" busy={busy} standing={standings.paid} label={text('otc.act.paid')} onAct={() => begin(() => pay(order))} />
      <Act kind="primary" standing={standings.release} label={text('otc.act.release', { coin })} onAct={() => void release(order)} />
      <Act kind="primary" standing={standings.appeal} label={text('otc.act.appeal')} onAct={() => void appeal(order, 'APPEAL')} />
      <Act standing={standings.evidence} label={text('otc.act.evidence')} onAct={() => void appeal(order, 'EVIDENCE')} />
      <Act standing={standings.cancel} busy={busy} kind="danger" label={text('otc.act.cancel')} onAct={() => begin(() => cancel(order))} />
      <Act standing={standings.dispute} label={text('otc.act.dispute')} onAct={() => void appeal(order, 'DISPUTE')} />
    </div>
  );
}

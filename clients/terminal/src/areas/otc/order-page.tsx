/** `/otc/order/:id`: what the order is, where the money goes, what each side does next, and the chat beside it. */
import type { OtcOrderDetail } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { EmptyState, FailedState } from '../../kit/ui/empty-state.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StaleNote } from '../../kit/ui/stale-note.tsx';
import { refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { coinName } from '../balances/coin-name.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Appraise } from './appraise.tsx';
import { Chat } from './chat.tsx';
import { useOtcNews } from './follow-otc.ts';
import { OrderActions } from './order-actions.tsx';
import { OrderDispute } from './order-dispute.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderNext } from './order-next.tsx';
import { OrderSteps } from './order-steps.tsx';
import { isOpen } from './order-standing.ts';
import { OtcNav } from './otc-nav.tsx';
import { Trader } from './trader.tsx';
import { useOtcWords } from './use-otc.ts';

/** The stream brings each step; this is for one that is away. */
const OPEN_POLL_MS = 10_000;
const NOT_FOUND = 404;
/** An address that names no order. */
const BAD_REQUEST = 400;

function Subject({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const { coin, currency, price, counterpart, escrow, conditions } = order;
  return (
    <Section title={text('otc.page.facts')}>
      <Facts>
        <Fact term={text('otc.list.with')}>
          <Trader trader={counterpart} />
        </Fact>
        <Fact term={text('otc.price')}>
          {text('otc.express.at', { price: words.number(price), currency: text(`otcName.currency.${currency}`), coin: coinName(coin) })}
        </Fact>
        <Fact term={text('otc.escrow')}>
          {text(`otc.page.heldState.${escrow.state}`, { amount: words.number(escrow.amount), coin: coinName(coin) })}
        </Fact>
        {conditions !== null && (
          <Fact term={text('otc.conditions')}>
            <span className="whitespace-pre-line">{conditions}</span>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function Order({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const { unread } = order;
  // Where the stream is away, the order says that something was written.
  useEffect(() => {
    if (unread > 0) void refresh('otcMessages');
  }, [unread]);
  return (
    <div className="grid items-start gap-x-5 laptop:grid-cols-[minmax(0,1fr)_400px]">
      <div className="min-w-0">
        <OrderNext order={order}>
          <OrderActions order={order} />
          <Appraise order={order} />
        </OrderNext>
        <OrderMoney order={order} />
        <OrderDispute order={order} />
        <OrderSteps order={order} />
        <Subject order={order} />
      </div>
      <Panel>
        <Chat order={order} />
      </Panel>
    </div>
  );
}

function Loading(): ReactElement {
  return (
    <div className="flex flex-col gap-4" aria-busy="true">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-48 w-full" />
    </div>
  );
}

function Read({ orderId }: { readonly orderId: string }): ReactElement {
  const text = useText();
  useOtcNews();
  const read = useData({
    name: 'otcOrder',
    of: 'account',
    input: { query: { orderId } },
    pollMs: (order) => (order === undefined || isOpen(order) ? OPEN_POLL_MS : undefined),
  });
  const { value } = read;
  if (value !== undefined)
    return (
      <>
        <Order order={value} />
        <StaleNote read={read} />
      </>
    );
  if (read.phase !== 'failed') return <Loading />;
  const { error, retry } = read;
  const isUnknown = error instanceof CallError && (error.status === NOT_FOUND || error.status === BAD_REQUEST);
  return isUnknown ? <EmptyState>{text('otc.page.notFound')}</EmptyState> : <FailedState onRetry={retry} />;
}

export function OrderPage(): ReactElement {
  const text = useText();
  const { orderId } = useParams({ from: '/otc/order/$orderId' });
  return (
    <Page title={text('otc.page.title', { id: orderId })}>
      <OtcNav />
      <SignedInOnly invitation="otc.connect">
        <Read key={orderId} orderId={orderId} />
      </SignedInOnly>
    </Page>
  );
}

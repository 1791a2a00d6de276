/** The chat of an order: both sides, the steps of the exchange, and an arbiter where there is one. */
import { laterOf } from '@orrery/api';
import type { OtcMessage, OtcOrderDetail } from '@orrery/api';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { ask } from '../../platform/data/calls.ts';
import { useCursorQuery } from '../../platform/data/cursor-query.ts';
import { ChatForm } from './chat-form.tsx';
import { ReceiptPreview } from './receipt-preview.tsx';

const PAGE = 50;

interface MessageProps {
  readonly message: OtcMessage;
}

/** A step of the order, or a deadline that has moved, in words of the page's language. */
function Step({ message: { text: status } }: MessageProps): ReactElement {
  const text = useText();
  const known = (['CREATED', 'PAID', 'DISPUTED', 'RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED'] as const).find((name) => name === status);
  const laterBy = laterOf(status);
  if (laterBy !== undefined) return <span>{text('otcName.system.later', { time: formatSpan(laterBy) })}</span>;
  return <span>{known === undefined ? (status ?? '') : text(`otcName.system.${known}`)}</span>;
}

function Message({ message }: MessageProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { kind, by, own, text: said, receiptId, hint, at } = message;
  if (kind === 'SYSTEM')
    return (
      <li className="self-center py-1 text-center text-sm text-fg3">
        <Step message={message} /> <time className="tabular-nums">{format.time(at)}</time>
      </li>
    );
  const isArbiter = by === 'ARBITER';
  return (
    <li className={classes('flex max-w-[85%] flex-col gap-1', own ? 'items-end self-end' : 'items-start self-start')}>
      <span className={classes('text-sm', isArbiter ? 'font-semibold text-warn' : 'text-fg3')}>
        {own ? text('otc.you') : text(`otcName.actor.${by}`)} <time className="font-normal text-fg3 tabular-nums">{format.time(at)}</time>
      </span>
      <div
        className={classes(
          'rounded-md border px-3 py-2 break-words [overflow-wrap:anywhere]',
          isArbiter ? 'border-warn bg-raised' : own ? 'border-line bg-hover' : 'border-line bg-raised',
        )}
      >
        {kind === 'TEXT' &&
          (said === null ? <i className="text-fg3">{text('otc.chat.deleted')}</i> : <p className="whitespace-pre-line">{said}</p>)}
        {receiptId !== null && <ReceiptPreview receiptId={receiptId} />}
      </div>
      {hint && <p className="text-sm text-warn">{text('otc.chat.hint')}</p>}
    </li>
  );
}

interface MessagesProps {
  readonly messages: readonly OtcMessage[];
  readonly more: (() => void) | undefined;
  readonly loadingMore: boolean;
}

function Messages({ messages, more, loadingMore }: MessagesProps): ReactElement {
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  const newest = messages[0]?.messageId;
  // What is new is in sight; older ones that were asked for move nothing.
  useEffect(() => {
    const element = place.current;
    if (element !== null && newest !== undefined) element.scrollTop = element.scrollHeight;
  }, [newest]);
  return (
    <div
      ref={place}
      tabIndex={0}
      role="log"
      aria-label={text('otc.chat')}
      className="h-[min(28rem,60dvh)] overflow-y-auto p-4 outline-offset-[-2px]"
    >
      {more !== undefined && (
        <div className="mb-3 text-center">
          <Button size="small" kind="quiet" busy={loadingMore} onClick={more}>
            {text('otc.chat.older')}
          </Button>
        </div>
      )}
      {messages.length === 0 && <p className="text-center text-fg3">{text('otc.chat.empty')}</p>}
      <ul className="flex flex-col gap-2.5">
        {messages.toReversed().map((message) => (
          <Message key={message.messageId} message={message} />
        ))}
      </ul>
    </div>
  );
}

export function Chat({ order }: { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const { orderId, counterpart } = order;
  const { read, more, loadingMore } = useCursorQuery<OtcMessage>({
    key: ['otcMessages', orderId],
    async load(id) {
      const { list, next } = await ask('otcMessages', { query: { orderId, pageSize: PAGE, ...(id !== undefined && { id }) } });
      return { items: list, next };
    },
  });
  return (
    <Section title={text('otc.chat.with', { name: counterpart.nickname })}>
      <LoadedPanel read={read} loading={<Skeleton className="m-4 h-40 w-64" />}>
        {(messages) => <Messages messages={messages} more={more} loadingMore={loadingMore} />}
      </LoadedPanel>
      <ChatForm key={orderId} orderId={orderId} />
      <p className="border-t border-line px-4 py-2 text-sm text-fg3">{text('otc.chat.kept')}</p>
    </Section>
  );
}

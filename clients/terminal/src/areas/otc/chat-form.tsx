/** Writes to the other side: a text, or a picture or receipt. Enter sends, Shift and Enter begin a line. */
import { Paperclip } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ChangeEvent, FormEvent, KeyboardEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { Button } from '../../kit/ui/button.tsx';
import { fileProblem } from '../../kit/ui/file-problem.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { toastText } from '../../platform/client/failure.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { RECEIPT_RULE, uploadReceipt } from './receipts.ts';

const TEXT_MAX = 1_000;
const ID_BYTES = 16;

/** A message keeps its id until it is answered: sent again after silence, it is one. */
interface Draft {
  readonly id: string;
  readonly text: string;
}

const emptyDraft = (): Draft => ({ id: randomHex(ID_BYTES), text: '' });

const afterSent = (typed: string, sent: string): string => (typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed);

interface ChatSending {
  readonly draft: Draft;
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly write: (text: string) => void;
  readonly send: () => void;
  readonly attach: (file: File) => void;
}

function useSending(orderId: string): ChatSending {
  const text = useText();
  const [draft, setDraft] = useState(emptyDraft);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      await refresh('otcMessages');
    } catch (error) {
      setProblem(toastText(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    busy,
    problem,
    write(words) {
      setProblem(undefined);
      // What is changed is another message than the one that was sent, or is on its way.
      const isSent = busy || problem !== undefined;
      setDraft(({ id, text: before }) => ({ id: isSent && words !== before ? randomHex(ID_BYTES) : id, text: words }));
    },
    send() {
      const said = draft.text.trim();
      if (busy || said === '') return;
      void run(async () => {
        await ask('sendOtcMessage', { body: { orderId, clientMessageId: draft.id, text: said } }, actor());
        // What was typed meanwhile is not sent yet.
        setDraft((now) => (now.id === draft.id ? emptyDraft() : { ...now, text: afterSent(now.text, draft.text) }));
      });
    },
    attach(file) {
      const fault = fileProblem(file, RECEIPT_RULE);
      if (fault !== undefined) {
        setProblem(text(fault.id, { name: file.name, ...fault.values }));
        return;
      }
      void run(async () => {
        const by = actor();
        const receiptId = await uploadReceipt(orderId, file, by);
        await ask('sendOtcMessage', { body: { orderId, clientMessageId: randomHex(ID_BYTES), receiptId } }, by);
      });
    },
  };
}

export function ChatForm({ orderId }: { readonly orderId: string }): ReactElement {
  const text = useText();
  const { draft, busy, problem, write, send, attach } = useSending(orderId);
  const file = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = target.files ?? [];
    // The same file may be chosen again.
    target.value = '';
    if (chosen !== undefined) attach(chosen);
  };
  return (
    <form onSubmit={submit} aria-label={text('otc.chat.write')} className="flex flex-col gap-2 border-t border-line p-4">
      <TextArea
        label={text('otc.chat.write')}
        rows={2}
        maxLength={TEXT_MAX}
        value={draft.text}
        onChange={write}
        onKeyDown={press}
        error={problem}
        hint={text('otc.chat.enter')}
      />
      <div className="flex items-center justify-between gap-2">
        <input
          ref={file}
          type="file"
          accept={RECEIPT_RULE.types.join(',')}
          aria-label={text('otc.chat.attach')}
          tabIndex={-1}
          className="sr-only"
          onChange={choose}
        />
        <IconButton label={text('otc.chat.attach')} disabled={busy} onClick={() => file.current?.click()}>
          <Paperclip size={16} />
        </IconButton>
        <Button type="submit" kind="primary" busy={busy} disabled={draft.text.trim() === ''}>
          {text('otc.chat.send')}
        </Button>
      </div>
    </form>
  );
}

/** A request that is sent once, and what is said while it has no answer. */
import type { ReactElement } from 'react';
import { toastText } from '../../platform/client/failure.ts';
import { useOnce } from '../../platform/session/use-once.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { showError, showSuccess } from '../../kit/ui/toast.ts';
import { Unanswered } from '../../kit/ui/unanswered.tsx';
import { fundRequests, isRequestKnown, sendRequest } from './fund-requests.ts';
import type { FundRequest } from './fund-requests.ts';

const ID_BYTES = 16;

export function useRequest(kind: FundRequest['kind'], onDone: () => void): Once<FundRequest> {
  return useOnce<FundRequest>({
    intents: fundRequests,
    newId: () => randomHex(ID_BYTES),
    isMine: (body) => body.kind === kind,
    send: sendRequest,
    find: isRequestKnown,
    onDone() {
      showSuccess(`quanto.done.${kind}`);
      onDone();
    },
  });
}

interface SentRequestProps {
  readonly title: string;
  readonly sent: FundRequest;
  readonly once: Pick<Once<FundRequest>, 'repeat' | 'drop'>;
  readonly onClose: () => void;
}

export function SentRequest({ title, sent: { kind, amount }, once, onClose }: SentRequestProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Dialog open onClose={onClose} width="narrow" title={title}>
      <Unanswered
        label={text('quanto.unanswered')}
        onRepeat={() => void once.repeat().catch((error: unknown) => showError(toastText(error)))}
        onDrop={once.drop}
      >
        {text(`quanto.sent.${kind}`, { amount: format.number(amount) })}
      </Unanswered>
    </Dialog>
  );
}

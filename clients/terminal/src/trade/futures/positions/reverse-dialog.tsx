/** Reverses a position: one intent, which the exchange carries out once, at the size that the position has then. */
import type { Position } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useOnce } from '../../../platform/session/use-once.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { Unanswered } from '../../../kit/ui/unanswered.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { unlessAnnounced } from '../../shared/orders/announced-orders.ts';
import { isReversalKnown, openReversals, sendReversal } from './open-reversals.ts';
import type { Reversal } from './open-reversals.ts';
import { absolute, directionOf } from './position-holding.ts';

const ID_BYTES = 16;

export function ReverseDialog({
  market,
  position,
  resolve,
  close,
}: Dialogue<true> & { readonly market: ContractMarket; readonly position: Position }): ReactElement {
  const text = useText();
  const format = useFormat();
  const symbol = position.symbol.replace('_', '/');
  const words = ({ from }: Reversal): string => text(`futures.reverse.from.${from}`, { symbol });
  const once = useOnce<Reversal>({
    intents: openReversals,
    isMine: (body) => body.symbol === market.wire,
    newId: () => randomHex(ID_BYTES),
    send: sendReversal,
    find: isReversalKnown,
    onDone(done, clientOrderId) {
      unlessAnnounced(clientOrderId, () => showSuccess('futures.reverse.done', { detail: words(done) }));
      resolve(true);
    },
  });
  // What was refused has been said in a toast.
  const quietly = (sent: Promise<void>): void => void sent.catch(() => undefined);
  const reversal: Reversal = { symbol: market.wire, from: directionOf(position) === 'long' ? 'LONG' : 'SHORT' };
  if (once.phase === 'unanswered' && once.open !== undefined)
    return (
      <Dialog open onClose={close} width="narrow" title={text('futures.reverse.title')}>
        <Unanswered label={text('futures.reverse.unanswered')} onRepeat={() => quietly(once.repeat())} onDrop={once.drop}>
          {words(once.open)}
        </Unanswered>
      </Dialog>
    );
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button kind="danger" size="large" busy={once.phase === 'sending'} onClick={() => quietly(once.submit(reversal))}>
        {text('futures.reverse.action')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('futures.reverse.title')} footer={footer}>
      <p className="text-fg2">
        {text('futures.reverse.lead', { size: format.number(absolute(position.positionSize)), coin: market.sizeName })}
      </p>
    </Dialog>
  );
}

/** Closes every position of the account, after a question. */
import { SUCCESS, type ClosingItem } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { say, useText } from '../../../kit/i18n/text.tsx';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import { randomHex } from '../../../kit/storage/random-hex.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { showError, showSuccess } from '../../../kit/ui/toast.ts';
import { change } from '../account.ts';
import { SendButton } from './mode-dialogs.tsx';

const ID_BYTES = 16;

/** F3: both ways of closing everything, in the words of the specification. */
export function CloseAllDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const [mode, setMode] = useState<'MARKET' | 'LIMIT_AT_MID'>('MARKET');
  // Made once for a dialog: sent again it does nothing.
  const [key] = useState(() => randomHex(ID_BYTES));
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.closeAll.title')}
      footer={
        <SendButton
          label={text(`futures.closeAll.${mode}`)}
          onSend={async () => saidOf(await change('closeAllPositions', { contractType: 'PERPETUAL', mode, key }, by))}
          onDone={() => resolve(true)}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-fg2">{text('futures.closeAll.lead')}</p>
        <Segmented
          label={text('futures.closeAll.how')}
          value={mode}
          choices={(['MARKET', 'LIMIT_AT_MID'] as const).map((value) => ({ value, label: text(`futures.closeAll.by.${value}`) }))}
          onChange={setMode}
        />
      </div>
    </Dialog>
  );
}

/** Limit orders at mid are what was wanted; anything else that is left is not. */
function saidOf(items: readonly ClosingItem[]): void {
  const left = items.filter(({ code }) => code !== SUCCESS);
  const detail = left.map(({ msg, data }) => `${data.symbol.replace('_', '/')} ${data.leftQty}: ${msg}.`).join(' ');
  if (left.every(({ data }) => data.reason === 'restingAtMid')) showSuccess('futures.closeAll.done', left.length === 0 ? {} : { detail });
  else showError(say('futures.closeAll.left'), detail);
}

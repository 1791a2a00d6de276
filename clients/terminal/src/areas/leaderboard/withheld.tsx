/** What of one's own does not count in a campaign, why, and one's appeal against it. */
import type { WithheldAwards } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { BOARD_POLL_MS } from './use-campaigns.ts';

const AppealDialog = lazyDialog(async () => (await import('./appeal-dialog.tsx')).AppealDialog);

interface WithheldProps {
  readonly withheld: WithheldAwards;
}

function Reasons({ withheld: { others, evidence, takenBack } }: WithheldProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const reasons = evidence.map((kind) => text(`withheld.evidence.${kind}`)).join(', ');
  return (
    <>
      {others > 0 && <p>{text('withheld.lead', { others, reasons })}</p>}
      {takenBack > 0 && <p>{text('withheld.takenBack', { points: format.number(String(takenBack)) })}</p>}
    </>
  );
}

function Answer({ withheld: { appeal } }: WithheldProps): ReactElement | null {
  const text = useText();
  return appeal === null ? null : <p className="mt-1 font-medium">{text(`withheld.state.${appeal.state}`, { answer: appeal.answer })}</p>;
}

export function Withheld({ campaignId }: { readonly campaignId: string }): ReactElement | null {
  const text = useText();
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  const { value: data, retry } = useData({
    name: 'withheldAwards',
    input: { body: { walletAddress: address ?? '', campaignId } },
    of: 'account',
    when: address !== undefined,
    pollMs: BOARD_POLL_MS,
  });
  if (data === undefined || address === undefined) return null;
  const isWithheld = data.others > 0 || data.takenBack > 0;
  if (!isWithheld && data.appeal === null) return null;
  const appeal = async (): Promise<void> => {
    if ((await openDialog(AppealDialog, { walletAddress: address, campaignId })) === true) retry();
  };
  return (
    <Notice tone={data.appeal?.state === 'ACCEPTED' ? 'ok' : 'warn'}>
      <Reasons withheld={data} />
      <Answer withheld={data} />
      {data.appeal === null && (
        <div className="mt-2">
          <Button size="small" onClick={() => void appeal()}>
            {text('withheld.appeal')}
          </Button>
        </div>
      )}
    </Notice>
  );
}

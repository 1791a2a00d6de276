import type { AwardNews } from '@orrery/api';
import { Award as AwardIcon } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { localised } from '../format/localised.ts';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { celebrate } from './confetti.ts';

interface Variant {
  readonly title: MessageId;
  /** What a person is offered to share; a correction by hand is nothing to boast of. */
  readonly share?: MessageId;
}

const variants: Readonly<Record<AwardNews['kind'], Variant>> = {
  TASK: { title: 'award.title', share: 'award.shareEarn' },
  LUCKY_BLOCK: { title: 'award.title', share: 'award.shareLuck' },
  LEADERBOARD: { title: 'award.leaderboardTitle', share: 'award.shareEarn' },
  MANUAL: { title: 'award.title' },
};

/** What was earned, and for what; answers whether the person wants to tell others. */
export function CongratulationsDialog({ news, resolve, close }: Dialogue<'share'> & { readonly news: AwardNews }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { title, share } = variants[news.kind];
  useEffect(() => (share === undefined ? undefined : celebrate()), [share]);
  const footer = (
    <>
      {share !== undefined && (
        <Button size="large" className="grow" onClick={() => resolve('share')}>
          {text(share)}
        </Button>
      )}
      <Button kind="primary" size="large" className="grow" onClick={close}>
        {text('award.done')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text(title)} footer={footer}>
      <div className="flex flex-col items-center gap-3 py-4 text-center">
        <span className="flex size-12 items-center justify-center rounded-full border border-warn text-warn">
          <AwardIcon size={24} aria-hidden="true" />
        </span>
        <p className="text-xl font-semibold tracking-[-0.01em] text-balance">
          {text('award.earned', { points: format.number(String(news.points)) })}
        </p>
        {news.title !== null && <p className="text-md text-fg2">{localised(news.title)}</p>}
      </div>
    </Dialog>
  );
}

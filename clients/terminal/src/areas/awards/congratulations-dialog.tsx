import type { AwardNews } from '@orrery/api';
import { Award as AwardIcon } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
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

interface CongratulationsProps {
  /** At least one; several are rewards of tasks that were claimed together. */
  readonly news: readonly AwardNews[];
}

/** What was earned, and for what; answers whether the person wants to share it. */
export function CongratulationsDialog({ news, resolve, close }: Dialogue<'share'> & CongratulationsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { title, share } = variants[news[0]?.kind ?? 'MANUAL'];
  const points = news.reduce((sum, one) => sum + one.points, 0);
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
          {text('award.earned', { points: format.number(String(points)) })}
        </p>
        <ul className="flex flex-col gap-1 text-md text-fg2">
          {news.map(
            (one) =>
              one.title !== null && (
                <li key={one.awardId}>
                  {localised(one.title)}
                  {news.length > 1 && ` ${format.number(String(one.points), { sign: 'always' })}`}
                </li>
              ),
          )}
        </ul>
      </div>
    </Dialog>
  );
}

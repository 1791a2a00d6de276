import type { AwardNews } from '@orrery/api';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useInvite } from '../invite/use-invite.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { CardDialog } from './card-dialog.tsx';
import { drawShareCard } from './share-card.ts';
import type { ShareCard } from './share-card.ts';

const occasions: Readonly<Record<AwardNews['kind'], MessageId>> = {
  TASK: 'share.task',
  LUCKY_BLOCK: 'share.lucky',
  LEADERBOARD: 'share.leaderboard',
  MANUAL: 'share.manual',
};

/** `undefined` while the invitation is being asked for. */
function useCard(news: AwardNews): ShareCard | undefined {
  const text = useText();
  const format = useFormat();
  const { invite, isSettled } = useInvite();
  if (!isSettled) return undefined;
  return {
    points: format.number(String(news.points)),
    pointsLabel: text('share.cardPoints'),
    occasion: text(occasions[news.kind]),
    reason: news.title === null ? undefined : localised(news.title),
    inviteCode: invite?.inviteCode,
    inviteCodeLabel: text('share.cardCode'),
    url: invite?.inviteUrl ?? location.origin,
    scanLabel: text('share.cardScan'),
    note: text('share.cardNote'),
  };
}

/** The card of an award. */
export function ShareDialog({ news, close }: Dialogue<never> & { readonly news: AwardNews }): ReactElement {
  const text = useText();
  const card = useCard(news);
  const points = card?.points ?? '';
  const occasion = card?.occasion ?? '';
  return (
    <CardDialog
      title={text('share.title')}
      card={card}
      draw={drawShareCard}
      file="orrery-reward.png"
      label={text('share.picture', { points, occasion })}
      words={text('share.postText', { points, occasion })}
      onClose={close}
    />
  );
}

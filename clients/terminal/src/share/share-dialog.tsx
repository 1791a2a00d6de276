import type { AwardNews } from '@orrery/api';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { isInApp, newTab } from '../client/in-app.ts';
import { localised } from '../format/localised.ts';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { useInvite } from '../invite/use-invite.ts';
import { useFormat } from '../settings/use-format.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Notice } from '../ui/notice.tsx';
import { CARD_HEIGHT, CARD_WIDTH, drawShareCard, loadCardFonts } from './share-card.ts';
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

async function paint(canvas: HTMLCanvasElement, card: ShareCard): Promise<File> {
  await loadCardFonts();
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the canvas can not be drawn on');
  drawShareCard(pen, card);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => (blob === null ? reject(new Error('the canvas has no picture')) : resolve(blob)), 'image/png');
  return new File([await promise], 'orrery-reward.png', { type: 'image/png' });
}

type Picture = File | 'drawing' | 'failed';

interface Painting {
  readonly picture: Picture;
  /** Takes the canvas as soon as it is there: a dialog brings its content a moment after itself. */
  readonly setCanvas: (canvas: HTMLCanvasElement | null) => void;
}

/** Draws the card whenever its words change. */
function usePicture(card: ShareCard | undefined): Painting {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [picture, setPicture] = useState<Picture>('drawing');
  const words = card === undefined ? undefined : JSON.stringify(card);
  useEffect(() => {
    if (words === undefined || canvas === null) return undefined;
    let isCurrent = true;
    const show = (next: Picture): void => (isCurrent ? setPicture(next) : undefined);
    paint(canvas, JSON.parse(words) as ShareCard).then(show, () => show('failed'));
    return () => {
      isCurrent = false;
    };
  }, [words, canvas]);
  return { picture, setCanvas };
}

function save(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(url);
}

interface WayProps {
  readonly picture: Picture;
  /** What is said with the picture, and where it leads. */
  readonly words: string;
  readonly url: string;
}

/** The device's own way of sharing, where there is one that takes pictures. */
function ShareButton({ picture, words, url }: WayProps): ReactElement | null {
  const text = useText();
  if (!(picture instanceof File)) return null;
  const shared = { files: [picture], text: `${words} ${url}` };
  if (typeof navigator.canShare !== 'function' || !navigator.canShare(shared)) return null;
  // Closing the device's sheet without sharing is no failure.
  const share = (): void => void navigator.share(shared).catch(() => undefined);
  return (
    <Button size="large" onClick={share}>
      {text('share.share')}
    </Button>
  );
}

function PostLink({ words, url }: Omit<WayProps, 'picture'>): ReactElement | null {
  const text = useText();
  if (isInApp) return null;
  const query = new URLSearchParams({ text: words, url });
  return (
    <a href={`https://x.com/intent/post?${query.toString()}`} {...newTab} className={buttonClasses({ kind: 'secondary', size: 'large' })}>
      {text('share.post')}
    </a>
  );
}

/** The card of an award: to save, to share or to post. */
export function ShareDialog({ news, close }: Dialogue<never> & { readonly news: AwardNews }): ReactElement {
  const text = useText();
  const card = useCard(news);
  const { picture, setCanvas } = usePicture(card);
  const points = card?.points ?? '';
  const occasion = card?.occasion ?? '';
  const words = text('share.postText', { points, occasion });
  const footer = (
    <>
      {card !== undefined && <PostLink words={words} url={card.url} />}
      {card !== undefined && <ShareButton picture={picture} words={words} url={card.url} />}
      <Button
        kind="primary"
        size="large"
        disabled={!(picture instanceof File)}
        onClick={() => (picture instanceof File ? save(picture) : undefined)}
      >
        {text('share.save')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="wide" title={text('share.title')} footer={footer}>
      {picture === 'failed' && <Notice tone="error">{text('share.failed')}</Notice>}
      <canvas
        ref={setCanvas}
        width={CARD_WIDTH}
        height={CARD_HEIGHT}
        role="img"
        aria-label={picture === 'drawing' ? text('share.drawing') : text('share.picture', { points, occasion })}
        className="aspect-[1200/630] w-full rounded border border-line bg-page"
      />
    </Dialog>
  );
}

/** Shows a card that a person shares: to save, to share or to post. */
import { useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { isInApp, newTab } from '../../platform/client/in-app.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { CARD_HEIGHT, CARD_WIDTH, loadCardFonts } from './card-parts.ts';
import type { Pen } from './card-parts.ts';

interface Drawn<Card> {
  /** The same function at each call: another one draws again. */
  readonly draw: (pen: Pen, card: Card) => void;
  /** Of the saved picture. */
  readonly file: string;
}

async function paint<Card>(canvas: HTMLCanvasElement, card: Card, { draw, file }: Drawn<Card>): Promise<File> {
  await loadCardFonts();
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the canvas can not be drawn on');
  draw(pen, card);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => (blob === null ? reject(new Error('the canvas has no picture')) : resolve(blob)), 'image/png');
  return new File([await promise], file, { type: 'image/png' });
}

type Picture = File | 'drawing' | 'failed';

interface Painting {
  readonly picture: Picture;
  /** Takes the canvas as soon as it is there: a dialog brings its content a moment after itself. */
  readonly setCanvas: (canvas: HTMLCanvasElement | null) => void;
}

/** Draws the card whenever its words change. */
function usePicture<Card>(card: Card | undefined, { draw, file }: Drawn<Card>): Painting {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [picture, setPicture] = useState<Picture>('drawing');
  const words = card === undefined ? undefined : JSON.stringify(card);
  useEffect(() => {
    if (words === undefined || canvas === null) return undefined;
    let isCurrent = true;
    const show = (next: Picture): void => (isCurrent ? setPicture(next) : undefined);
    paint(canvas, JSON.parse(words) as Card, { draw, file }).then(show, () => show('failed'));
    return () => {
      isCurrent = false;
    };
  }, [words, canvas, draw, file]);
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

export interface CardDialogProps<Card> extends Drawn<Card> {
  readonly title: string;
  /** Plain text and numbers; `undefined` while something of it is being asked for. */
  readonly card: (Card & { readonly url: string }) | undefined;
  /** What the picture shows, for a screen reader. */
  readonly label: string;
  /** What is said with the picture. */
  readonly words: string;
  readonly onClose: () => void;
  /** What can be chosen about the picture. */
  readonly children?: ReactNode;
}

export function CardDialog<Card>({ title, card, label, words, draw, file, onClose, children }: CardDialogProps<Card>): ReactElement {
  const text = useText();
  const { picture, setCanvas } = usePicture<Card>(card, { draw, file });
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
    <Dialog open onClose={onClose} width="wide" title={title} footer={footer}>
      {picture === 'failed' && <Notice tone="error">{text('share.failed')}</Notice>}
      <canvas
        ref={setCanvas}
        width={CARD_WIDTH}
        height={CARD_HEIGHT}
        role="img"
        aria-label={picture === 'drawing' ? text('share.drawing') : label}
        className="aspect-[1200/630] w-full rounded border border-line bg-page"
      />
      {children}
    </Dialog>
  );
}

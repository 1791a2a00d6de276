/** The picture of an award: what was earned, and the way to join. */
import { BONE, CARD_WIDTH, drawFrame, FG2, invitation, MARGIN, QR_SIZE, REWARD, SANS, write } from './card-parts.ts';
import type { Invitation, Pen } from './card-parts.ts';

/** Everything on the card is text as it shall be read. */
export interface ShareCard extends Invitation {
  readonly points: string;
  readonly pointsLabel: string;
  readonly occasion: string;
  readonly reason: string | undefined;
  readonly note: string;
}

function earnings(pen: Pen, { points, pointsLabel, occasion, reason }: ShareCard): void {
  const maxWidth = CARD_WIDTH - 2 * MARGIN - QR_SIZE - 56;
  write(pen, { text: occasion, x: MARGIN, y: 232, font: `500 34px ${SANS}`, colour: FG2, maxWidth });
  write(pen, { text: points, x: MARGIN - 4, y: 346, font: `600 120px ${SANS}`, colour: REWARD, maxWidth: maxWidth - 170 });
  const width = Math.min(pen.measureText(points).width, maxWidth - 170);
  write(pen, { text: pointsLabel, x: MARGIN + width + 18, y: 346, font: `500 44px ${SANS}`, colour: BONE });
  if (reason !== undefined) write(pen, { text: reason, x: MARGIN, y: 404, font: `400 30px ${SANS}`, colour: BONE, maxWidth });
}

export function drawShareCard(pen: Pen, card: ShareCard): void {
  drawFrame(pen, card.note);
  earnings(pen, card);
  invitation(pen, card);
}

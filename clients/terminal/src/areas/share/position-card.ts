/** The picture of a position: what it returned, at which prices, and the way to join. Nothing of the account beyond what is drawn. */
import { BONE, CARD_WIDTH, drawFrame, FG2, FG3, invitation, MARGIN, QR_SIZE, SANS, write } from './card-parts.ts';
import type { Invitation, Pen } from './card-parts.ts';

export interface CardFact {
  readonly label: string;
  readonly value: string;
}

/** Everything on the card is text as it shall be read. */
export interface PositionCard extends Invitation {
  readonly contract: string;
  /** Long or short, and the leverage. */
  readonly terms: string;
  /** With its sign. */
  readonly percent: string;
  /** CSS colour of the direction that the position went. */
  readonly colour: string;
  /** Left out where the person does not want to show it. */
  readonly amount: string | undefined;
  readonly facts: readonly CardFact[];
  readonly note: string;
}

const FACT_WIDTH = 236;
const FACTS_Y = 400;

export function drawPositionCard(pen: Pen, card: PositionCard): void {
  const maxWidth = CARD_WIDTH - 2 * MARGIN - QR_SIZE - 56;
  drawFrame(pen, card.note);
  write(pen, { text: card.contract, x: MARGIN, y: 196, font: `600 34px ${SANS}`, colour: BONE });
  const after = MARGIN + pen.measureText(card.contract).width + 18;
  write(pen, { text: card.terms, x: after, y: 196, font: `500 30px ${SANS}`, colour: FG2, maxWidth: maxWidth - after + MARGIN });
  write(pen, { text: card.percent, x: MARGIN - 4, y: 300, font: `600 104px ${SANS}`, colour: card.colour, maxWidth });
  if (card.amount !== undefined) write(pen, { text: card.amount, x: MARGIN, y: 348, font: `500 30px ${SANS}`, colour: BONE, maxWidth });
  for (const [place, { label, value }] of card.facts.entries()) {
    const x = MARGIN + place * FACT_WIDTH;
    write(pen, { text: label, x, y: FACTS_Y, font: `400 22px ${SANS}`, colour: FG3, maxWidth: FACT_WIDTH - 16 });
    write(pen, { text: value, x, y: FACTS_Y + 36, font: `500 28px ${SANS}`, colour: BONE, maxWidth: FACT_WIDTH - 16 });
  }
  invitation(pen, card);
}

/** What every picture that a person shares has in common: 1200 × 630 pixels, drawn in the browser, with the brand and the way to join. */
import { encode } from 'uqr';

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

export const MARGIN = 72;
export const QR_SIZE = 224;
export const SANS = '"Hanken Grotesk Variable", sans-serif';
export const MONO = '"JetBrains Mono", monospace';

/** The dark theme's: a picture keeps its colours wherever it is shown. */
const PAGE = '#0c0d0c';
const LINE = '#272b26';
export const BONE = '#efe7d4';
export const FG2 = '#a9aba2';
export const FG3 = '#8b8f85';
export const REWARD = '#e8b64c';

export type Pen = CanvasRenderingContext2D;

interface Lettering {
  readonly text: string;
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly font: string;
  readonly colour: string;
  /** What is wider is made smaller, so that it fits. */
  readonly maxWidth?: number;
}

export function write(pen: Pen, { text, x, y, font, colour, maxWidth }: Lettering): void {
  pen.font = font;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, maxWidth);
}

function hazardStrip(pen: Pen): void {
  const height = 14;
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, CARD_WIDTH, height);
  pen.clip();
  pen.fillStyle = REWARD;
  for (let x = -height; x < CARD_WIDTH; x += 48) {
    pen.beginPath();
    pen.moveTo(x, height);
    pen.lineTo(x + height, 0);
    pen.lineTo(x + height + 24, 0);
    pen.lineTo(x + 24, height);
    pen.fill();
  }
  pen.restore();
}

interface Orbits {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly lineWidth: number;
  readonly colour: string;
}

function orbits(pen: Pen, { x, y, radius, lineWidth, colour }: Orbits): void {
  const scale = radius / 9.5;
  const tilt = (-28 * Math.PI) / 180;
  pen.lineWidth = lineWidth;
  pen.strokeStyle = colour;
  for (const [wide, high, angle] of [
    [9.5, 9.5, 0],
    [9.5, 3.9, tilt],
  ] as const) {
    pen.beginPath();
    pen.ellipse(x, y, wide * scale, high * scale, angle, 0, 2 * Math.PI);
    pen.stroke();
  }
}

/** The brand's mark: orbits about a middle, one body warm. */
function mark(pen: Pen, shape: Orbits): void {
  const { x, y, radius, colour } = shape;
  const scale = radius / 9.5;
  orbits(pen, shape);
  for (const [dx, dy, size, fill] of [
    [0, 0, 2.6, colour],
    [8, -4.8, 1.9, REWARD],
  ] as const) {
    pen.fillStyle = fill;
    pen.beginPath();
    pen.arc(x + dx * scale, y + dy * scale, size * scale, 0, 2 * Math.PI);
    pen.fill();
  }
}

function qrCode(pen: Pen, { url, x, y }: { readonly url: string; readonly x: number; readonly y: number }): void {
  const { data, size } = encode(url, { ecc: 'M', border: 2 });
  const module = QR_SIZE / size;
  pen.fillStyle = '#ffffff';
  pen.fillRect(x, y, QR_SIZE, QR_SIZE);
  pen.fillStyle = '#000000';
  for (const [row, modules] of data.entries()) {
    for (const [column, isDark] of modules.entries()) {
      // A little larger than its place, so that no seam shows between two.
      if (isDark) pen.fillRect(x + column * module, y + row * module, module + 0.4, module + 0.4);
    }
  }
}

export interface Invitation {
  /** What the QR code leads to. */
  readonly url: string;
  readonly scanLabel: string;
  /** Left out where the person does not want to show it. */
  readonly inviteCode: string | undefined;
  readonly inviteCodeLabel: string;
}

export function invitation(pen: Pen, { url, scanLabel, inviteCode, inviteCodeLabel }: Invitation): void {
  const x = CARD_WIDTH - MARGIN - QR_SIZE;
  const y = CARD_HEIGHT - MARGIN - QR_SIZE - 30;
  qrCode(pen, { url, x, y });
  pen.textAlign = 'center';
  write(pen, { text: scanLabel, x: x + QR_SIZE / 2, y: y + QR_SIZE + 34, font: `500 22px ${SANS}`, colour: FG2 });
  pen.textAlign = 'left';
  if (inviteCode === undefined) return;
  write(pen, { text: inviteCodeLabel, x: MARGIN, y: 500, font: `400 22px ${SANS}`, colour: FG3 });
  write(pen, { text: inviteCode, x: MARGIN, y: 538, font: `400 32px ${MONO}`, colour: BONE });
}

/** The empty card: the brand above, one sentence at the foot. */
export function drawFrame(pen: Pen, note: string): void {
  pen.fillStyle = PAGE;
  pen.fillRect(0, 0, CARD_WIDTH, CARD_HEIGHT);
  orbits(pen, { x: CARD_WIDTH - 184, y: 250, radius: 440, lineWidth: 1.5, colour: LINE });
  hazardStrip(pen);
  mark(pen, { x: MARGIN + 26, y: 104, radius: 24, lineWidth: 3, colour: BONE });
  write(pen, { text: 'Orrery', x: MARGIN + 70, y: 118, font: `600 42px ${SANS}`, colour: BONE });
  write(pen, { text: note, x: MARGIN, y: CARD_HEIGHT - 44, font: `400 20px ${SANS}`, colour: FG3 });
}

/** The card's letters; without them the browser would write in its own. */
export async function loadCardFonts(): Promise<void> {
  await Promise.all(
    [`600 120px ${SANS}`, `500 34px ${SANS}`, `400 30px ${SANS}`, `400 32px ${MONO}`].map((font) => document.fonts.load(font)),
  );
}

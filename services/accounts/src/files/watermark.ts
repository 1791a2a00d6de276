/** Text drawn over images, by letters of our own: what a machine has of fonts decides nothing. */

const GLYPH = { width: 5, height: 7 } as const;
/** With the gap to the next one. */
const ADVANCE = GLYPH.width + 1;
/** Rows of text in a tile: each begins half a text further right than the one before. */
const ROWS = 2;
const ROW_HEIGHT = 3 * GLYPH.height;
const MARGIN = 8;
/** Letters grow with the image: this many of its pixels for each of theirs. */
const PIXELS_A_DOT = 700;
/** Of 255: the image stays readable under it. */
const ALPHA = 120;

/** Five columns from left to right, of seven dots each, the lowest bit on top: two hexadecimal digits a column. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  a: '2054545478',
  b: '7f48444438',
  c: '3844444420',
  d: '384444487f',
  e: '3854545418',
  f: '087e090102',
  g: '081454543c',
  h: '7f08040478',
  i: '00447d4000',
  j: '2040443d00',
  k: '007f102844',
  l: '00417f4000',
  m: '7c04780478',
  n: '7c08040478',
  o: '3844444438',
  p: '7c14141408',
  q: '081414187c',
  r: '7c08040408',
  s: '4854545424',
  t: '043f444020',
  u: '3c4040207c',
  v: '1c2040201c',
  w: '3c4030403c',
  x: '4428102844',
  y: '0c5050503c',
  z: '4464544c44',
  '-': '0808080808',
  _: '4040404040',
  ':': '0000240000',
};

export interface Tile {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel. */
  readonly data: Buffer;
}

/** What is laid over an image again and again: white letters with a dark edge, seen on any ground. No larger than the image. */
export function markTile(text: string, image: { readonly width: number; readonly height: number }): Tile {
  const dot = Math.max(1, Math.round(Math.max(image.width, image.height) / PIXELS_A_DOT));
  const columns = text.length * ADVANCE + MARGIN;
  const width = Math.min(image.width, columns * dot);
  const height = Math.min(image.height, ROWS * ROW_HEIGHT * dot);
  const data = Buffer.alloc(width * height * 4);
  const isInk = (x: number, y: number): boolean => isLetter(text, columns, { x: Math.floor(x / dot), y: Math.floor(y / dot) });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (isInk(x, y)) data.writeUInt32BE(0xff_ff_ff_00 + ALPHA, (y * width + x) * 4);
      else if (isInk(x - dot, y - dot)) data.writeUInt32BE(ALPHA, (y * width + x) * 4);
    }
  return { width, height, data };
}

function isLetter(text: string, columns: number, { x, y }: { x: number; y: number }): boolean {
  const row = Math.floor(y / ROW_HEIGHT);
  const line = y - row * ROW_HEIGHT;
  if (x < 0 || line < 0 || line >= GLYPH.height) return false;
  const place = (x + row * Math.floor(columns / ROWS)) % columns;
  const column = place % ADVANCE;
  const glyph = GLYPHS[text[Math.floor(place / ADVANCE)] ?? ''];
  if (glyph === undefined || column >= GLYPH.width) return false;
  return ((Number.parseInt(glyph.slice(column * 2, column * 2 + 2), 16) >> line) & 1) === 1;
}

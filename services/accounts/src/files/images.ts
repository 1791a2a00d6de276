/** Encodes an image again, so that nothing of the file is kept but its pixels: no EXIF, no place, no comment, nothing behind its end. */
import { ApiError, type FileType } from '@orrery/api';
import sharp, { type Sharp } from 'sharp';
import { markTile } from './watermark.ts';

const PIXELS_MAX = 25_000_000;
const SIDE_PIXELS_MAX = 8_000;
const SECONDS_MAX = 10;
/** One image at a time has up to 100 MB of pixels and one of the four threads of libuv; the others are the disk's. */
const WAITING_MAX = 8;

type ImageType = Exclude<FileType, 'application/pdf'>;

sharp.cache(false);
sharp.concurrency(1);
// Whatever a file claims to be, no other reader of images ever runs.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** @throws ApiError FileRefused with the reason, Overloaded when too many wait. */
export const encodedAgain = (bytes: Buffer, type: ImageType): Promise<Buffer> => inTurn(() => encode(bytes, type));

/** An image of ours with the text all over it. @throws ApiError Overloaded when too many wait. */
export const watermarked = (bytes: Buffer, type: ImageType, text: string): Promise<Buffer> =>
  inTurn(async () => {
    const { width, height, hasAlpha } = await sharp(bytes).metadata();
    const { data, ...raw } = markTile(text, { width, height });
    const image = sharp(bytes).timeout({ seconds: SECONDS_MAX });
    const marked = image.composite([{ input: data, raw: { ...raw, channels: 4 }, tile: true, gravity: 'northwest' }]);
    return encoders[type](hasAlpha ? marked : marked.removeAlpha()).toBuffer();
  });

async function inTurn(work: () => Promise<Buffer>): Promise<Buffer> {
  if (waiting >= WAITING_MAX) throw new ApiError('Overloaded', { retryAfterSeconds: 5 });
  waiting += 1;
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    waiting -= 1;
  }
}

async function encode(bytes: Buffer, type: ImageType): Promise<Buffer> {
  // The head alone is read here.
  const { width, height, format } = await readable(sharp(bytes, { limitInputPixels: false }).metadata());
  if (`image/${format}` !== type) throw refused(`the file is not ${type}`);
  if (width > SIDE_PIXELS_MAX || height > SIDE_PIXELS_MAX || width * height > PIXELS_MAX)
    throw refused(`the image has ${width} by ${height} pixels: at most 25 megapixels and 8,000 pixels a side are taken`);
  const image = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'warning' }).autoOrient().timeout({ seconds: SECONDS_MAX });
  return readable(encoders[type](image).toBuffer());
}

const encoders: Readonly<Record<ImageType, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 90 }),
};

async function readable<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (cause) {
    throw refused('the image can not be read: it is damaged or not complete', cause);
  }
}

const refused = (message: string, cause?: unknown): ApiError => new ApiError('FileRefused', { field: 'file', message, cause });

/** For tests: files as an attacker makes them. `refused` is in the reason; without it the file is taken and must lose what is hostile. */
import { crc32, deflateSync } from 'node:zlib';
import { FILE_BYTES_MAX } from '@orrery/api';
import sharp, { type Sharp } from 'sharp';

export interface HostileFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly refused?: string;
}

/** In the metadata of the images that have some. */
export const EXIF_SECRET = 'EXIF-SECRET-52.5200N-13.4050E';

const JPEG = 'image/jpeg';
const PNG = 'image/png';
const WEBP = 'image/webp';
const PDF = 'application/pdf';
const NOT_KNOWN = 'no JPEG, PNG, WebP or PDF';
const DAMAGED = 'damaged or not complete';
const TOO_LARGE = 'at most 25 megapixels';

export async function hostileFiles(): Promise<readonly HostileFile[]> {
  return [...notKnown(), ...(await images()), ...(await polyglots()), ...pdfs()];
}

function notKnown(): HostileFile[] {
  const texts: [string, string, string][] = [
    ['an SVG with a script', PNG, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an SVG with a load handler, sent as JPEG', JPEG, '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['HTML sent as PNG', PNG, '<!doctype html><script>alert(1)</script>'],
    ['HTML sent as PDF', PDF, '<html><body onload=alert(1)></html>'],
    ['HTML after blanks', WEBP, '\n\n  <html><script>alert(1)</script></html>'],
    ['a script', JPEG, 'alert(document.cookie)'],
    ['a shell script', PDF, '#!/bin/sh\ncat /etc/passwd'],
    ['PHP', JPEG, '<?php system($_GET["c"]); ?>'],
    ['a GIF', PNG, 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['a GIF that is a script', JPEG, 'GIF89a=1;alert(1)//'],
    ['a bitmap', PNG, 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0'],
    ['a TIFF', JPEG, 'II*\0\x08\0\0\0\0\0'],
    ['an icon', PNG, '\0\0\x01\0\x01\0\x10\x10\0\0'],
    ['an AVIF', WEBP, '\0\0\0\x20ftypavif\0\0\0\0'],
    ['a ZIP archive', PDF, 'PK\x03\x04\x14\0\0\0\0\0'],
    ['a program of Windows', JPEG, 'MZ\x90\0\x03\0\0\0'],
    ['a program of Linux', PNG, '\x7FELF\x02\x01\x01\0'],
    ['a RIFF of sound', WEBP, 'RIFF\x24\0\0\0WAVEfmt '],
    ['PostScript', PDF, '%!PS-Adobe-3.0\n(%stdin) run'],
    ['a PDF behind a byte', PDF, '\n%PDF-1.4\n%%EOF'],
    ['a MVG that reads a file', PNG, "push graphic-context\nimage over 0,0 0,0 'label:@/etc/passwd'\npop graphic-context"],
    ['a PNG without its first byte', PNG, 'PNG\r\n\x1A\n\0\0\0\rIHDR'],
    ['zeros', PNG, '\0'.repeat(1_000)],
    ['one byte', JPEG, '\xFF'],
  ];
  return [
    ...texts.map(([name, type, text]) => ({ name, type, bytes: Buffer.from(text, 'latin1'), refused: NOT_KNOWN })),
    { name: 'nothing', type: PNG, bytes: Buffer.alloc(0), refused: 'empty' },
    { name: 'a PDF of 5 MiB and a byte', type: PDF, bytes: Buffer.alloc(FILE_BYTES_MAX + 1, '%PDF-'), refused: 'more than 5 MiB' },
  ];
}

const drawn = (): Sharp =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#3366cc', noise: { type: 'gaussian', mean: 128, sigma: 40 } } });
const withPlace = (image: Sharp): Sharp =>
  image.withExif({
    IFD0: { Copyright: EXIF_SECRET, Artist: EXIF_SECRET, Make: '<script>alert(1)</script>' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
  });

async function images(): Promise<HostileFile[]> {
  const [jpeg, png, webp] = [await drawn().jpeg().toBuffer(), await drawn().png().toBuffer(), await drawn().webp().toBuffer()];
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
  const spoilt = Buffer.from(png);
  spoilt.fill(0x55, 60, 200);
  return [
    { name: 'a JPEG with the place it was taken at', type: JPEG, bytes: await withPlace(drawn()).jpeg().toBuffer() },
    { name: 'a PNG with EXIF', type: PNG, bytes: await withPlace(drawn()).png().toBuffer() },
    { name: 'a WebP with EXIF', type: WEBP, bytes: await withPlace(drawn()).webp().toBuffer() },
    {
      name: 'a JPEG with XMP',
      type: JPEG,
      bytes: await drawn().withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${EXIF_SECRET}</x:xmpmeta>`).jpeg().toBuffer(),
    },
    { name: 'a JPEG with a profile of colours', type: JPEG, bytes: await drawn().withIccProfile('p3').jpeg().toBuffer() },
    { name: 'a JPEG with a comment', type: JPEG, bytes: withComment(jpeg, `${EXIF_SECRET}<?php system(1) ?>`) },
    {
      name: 'a PNG with a text',
      type: PNG,
      bytes: withChunk(png, 'tEXt', Buffer.from(`Comment\0${EXIF_SECRET}<script>alert(1)</script>`)),
    },
    { name: 'a PNG with a compressed bomb of text', type: PNG, bytes: withChunk(png, 'zTXt', textBomb()) },
    { name: 'half a JPEG', type: JPEG, bytes: half(jpeg), refused: DAMAGED },
    { name: 'half a PNG', type: PNG, bytes: half(png), refused: DAMAGED },
    { name: 'half a WebP', type: WEBP, bytes: half(webp), refused: DAMAGED },
    { name: 'a PNG with spoilt pixels', type: PNG, bytes: spoilt, refused: DAMAGED },
    { name: 'the first bytes of a JPEG', type: JPEG, bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0]), refused: DAMAGED },
    { name: 'the first bytes of a PNG', type: PNG, bytes: png.subarray(0, 8), refused: DAMAGED },
    { name: 'a PNG sent as JPEG', type: JPEG, bytes: png, refused: 'sent as another type' },
    { name: 'a JPEG sent as PDF', type: PDF, bytes: jpeg, refused: 'sent as another type' },
    { name: 'a WebP sent as PNG', type: PNG, bytes: webp, refused: 'sent as another type' },
    { name: 'a PNG of 30,000 by 30,000 pixels in a few bytes', type: PNG, bytes: emptyPng(30_000, 30_000), refused: TOO_LARGE },
    { name: 'a PNG of 2,147,483,647 by 1 pixels', type: PNG, bytes: emptyPng(2_147_483_647, 1), refused: `${TOO_LARGE}|${DAMAGED}` },
    { name: 'a PNG of 8,001 by 1 pixels', type: PNG, bytes: emptyPng(8_001, 1), refused: TOO_LARGE },
    { name: 'a PNG of 1 by 8,001 pixels', type: PNG, bytes: emptyPng(1, 8_001), refused: TOO_LARGE },
    { name: 'a PNG of 5,001 by 5,000 pixels', type: PNG, bytes: emptyPng(5_001, 5_000), refused: TOO_LARGE },
    { name: 'a PNG of 0 by 0 pixels', type: PNG, bytes: emptyPng(0, 0), refused: DAMAGED },
    { name: 'a PNG without pixels', type: PNG, bytes: emptyPng(100, 100), refused: DAMAGED },
  ];
}

/** Two things at once: an image, and what something else would run. */
async function polyglots(): Promise<HostileFile[]> {
  const [jpeg, png, webp] = [await drawn().jpeg().toBuffer(), await drawn().png().toBuffer(), await drawn().webp().toBuffer()];
  const and = (bytes: Buffer, text: string): Buffer => Buffer.concat([bytes, Buffer.from(text, 'latin1')]);
  return [
    { name: 'a JPEG and HTML', type: JPEG, bytes: and(jpeg, '<html><script>alert(1)</script></html>') },
    { name: 'a PNG and an SVG', type: PNG, bytes: and(png, '<svg onload="alert(1)"></svg>') },
    { name: 'a WebP and PHP', type: WEBP, bytes: and(webp, '<?php system(1) ?>') },
    { name: 'a JPEG and a ZIP archive', type: JPEG, bytes: and(jpeg, 'PK\x03\x04\x14\0\0\0\0\0 evil.class') },
    { name: 'a PNG and a PDF', type: PNG, bytes: and(png, '%PDF-1.4\n/OpenAction /JS\n%%EOF') },
    { name: 'a JPEG with a script in its comment', type: JPEG, bytes: withComment(jpeg, '*/=alert(1);/* <script>alert(1)</script>') },
  ];
}

const ACTIVE_PDFS: readonly (readonly [string, string, string])[] = [
  ['JavaScript', '<< /S /JavaScript /JS (app.alert(1)) >>', 'active content: JavaScript'],
  ['JS alone', '<< /JS (app.alert(1)) >>', 'active content: JS'],
  ['a name that is written by digits', '<< /J#61vaScript 1 0 R >>', 'active content: JavaScript'],
  ['a name that is written by digits alone', '<< /#4a#53(x) >>', 'active content: JS'],
  ['an action when it is opened', '<< /OpenAction 3 0 R >>', 'active content: OpenAction'],
  ['additional actions', '<< /AA << /O 3 0 R >> >>', 'active content: AA'],
  ['a file in it', '<< /Type /EmbeddedFile >>', 'active content: EmbeddedFile'],
  ['a tree of files', '<< /EmbeddedFiles 4 0 R >>', 'active content: EmbeddedFiles'],
  ['a program to launch', '<< /S /Launch /F (cmd.exe) >>', 'active content: Launch'],
  ['rich media', '<< /Subtype /RichMedia >>', 'active content: RichMedia'],
  ['a form of XFA', '<< /XFA 5 0 R >>', 'active content: XFA'],
  ['a form that is sent', '<< /S /SubmitForm /F (http://x.example) >>', 'active content: SubmitForm'],
  ['another PDF to go to', '<< /S /GoToR /F (\\\\\\\\x.example\\\\a) >>', 'active content: GoToR'],
  ['a rendition', '<< /S /Rendition >>', 'active content: Rendition'],
  ['encryption', '<< /Encrypt 6 0 R >>', 'encrypted'],
  ['packed objects', '<< /Type /ObjStm /N 1 >>', 'packs its objects'],
  ['packed objects by digits', '<< /Type/Obj#53tm/N 1 >>', 'packs its objects'],
];

function pdfs(): HostileFile[] {
  const around = (object: string): Buffer =>
    Buffer.from(`%PDF-1.7\n1 0 obj\n${object}\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1');
  return [
    ...ACTIVE_PDFS.map(([name, object, refused]) => ({ name: `a PDF with ${name}`, type: PDF, bytes: around(object), refused })),
    { name: 'a PDF without an end', type: PDF, bytes: Buffer.from('%PDF-1.4\n<script>alert(1)</script>'), refused: 'not complete' },
    {
      name: 'a PDF with an archive behind its end',
      type: PDF,
      bytes: Buffer.concat([around('<< >>'), Buffer.alloc(2_000, 'PK\x03\x04')]),
      refused: 'something follows its end',
    },
    {
      name: 'a PDF whose stream holds an action',
      type: PDF,
      bytes: around('<< /Length 60 >>\nstream\n2 0 obj << /OpenAction 3 0 R >> endobj\nendstream'),
      refused: 'active content: OpenAction',
    },
    { name: 'a PDF sent as PNG', type: PNG, bytes: around('<< >>'), refused: 'sent as another type' },
  ];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const PNG_HEAD = 8 + 25;

/** Behind the head of the image. */
const withChunk = (png: Buffer, type: string, data: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, PNG_HEAD), chunk(type, data), png.subarray(PNG_HEAD)]);

const textBomb = (): Buffer => Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(50_000_000, 'a'))]);

/** A head that promises pixels, and none of them. */
function emptyPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(0)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))]);
}

function withComment(jpeg: Buffer, text: string): Buffer {
  const body = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

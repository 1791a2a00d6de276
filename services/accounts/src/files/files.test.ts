/** Sixty and more hostile files, made here: each is refused with its reason, or kept without anything but its pixels. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_BYTES_MAX, FILE_LINK_SECONDS, FILES_MAX, SentFile, type StoredFile } from '@orrery/api';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, openTown, person, refusalOf, type Town } from '../testing/town.ts';
import { EXIF_SECRET, hostileFiles } from './testing/hostile-files.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0xf11e;
let browser: Browser;
beforeEach(async () => {
  browser = new Browser(town);
  await browser.login(person((key += 1)));
});

const calls = () => town.accounts.handlers.file;
const upload = (type: string, bytes: Buffer): Promise<StoredFile> =>
  browser.call(calls().uploadFile, { body: new SentFile(type, new Uint8Array(bytes)) });
const queryOf = (url: string) => {
  const { expires, ...rest } = Object.fromEntries(new URL(url, 'http://x').searchParams);
  return { ...rest, expires: Number(expires) };
};
async function fetchBack(fileId: string): Promise<SentFile> {
  const { url } = await browser.call(calls().linkFile, { body: { fileId } });
  return new Browser(town).call(calls().downloadFile, { query: queryOf(url) });
}
const onDisk = (): Promise<string[]> => readdir(join(town.directory, 'files')).catch(() => []);
const photo = (width = 40, height = 30) => sharp({ create: { width, height, channels: 3, background: '#c06040' } });
const picture = (): Promise<Buffer> => photo().png().toBuffer();
const pdf = (): Buffer => Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

test('what another service takes is judged by the same rules, and is in no list and no limit of its person', async () => {
  const { account } = browser.principal();
  const { files } = town.accounts;
  await expect(files.take(account, new SentFile('image/png', new Uint8Array(9)), 'otc')).rejects.toThrow('is no JPEG');
  const taken: string[] = [];
  for (let nth = 0; nth <= FILES_MAX; nth += 1) {
    const { fileId } = await files.take(account, new SentFile('image/png', new Uint8Array(await picture())), 'otc');
    taken.push(fileId);
  }
  expect((await browser.call(calls().files)).total).toBe(0);
  const [first = '', second = ''] = taken;
  expect(await refusalOf(browser.call(calls().deleteFile, { body: { fileId: first } }))).toBe('UnknownThing file');
  const { url } = await files.link(account, first);
  expect((await new Browser(town).call(calls().downloadFile, { query: queryOf(url) })).type).toBe('image/png');
  await files.drop(account, first, 'otc');
  await files.drop(account, first, 'otc');
  expect(await refusalOf(files.link(account, first))).toBe('UnknownThing file');
  const { fileId: own } = await upload('image/png', await picture());
  await files.drop(account, own, 'otc');
  expect((await browser.call(calls().files)).list).toMatchObject([{ fileId: own }]);
  for (const fileId of [second, ...taken.slice(2)]) await files.drop(account, fileId, 'otc');
});

const corpus = await hostileFiles();

describe('the corpus of hostile files', () => {
  test('it has at least 60', () => expect(corpus.length).toBeGreaterThanOrEqual(60));

  test.each(corpus.filter(({ refused }) => refused !== undefined))('$name is refused: $refused', async ({ type, bytes, refused }) => {
    const before = await onDisk();
    const error = await upload(type, bytes).then(
      () => 'taken',
      (reason: Error) => reason.message,
    );
    expect(error).toMatch(new RegExp(refused ?? ''));
    expect(await onDisk()).toEqual(before);
    expect((await browser.call(calls().files)).total).toBe(0);
  });

  test.each(corpus.filter(({ refused }) => refused === undefined))('$name is kept as pixels alone', async ({ type, bytes }) => {
    const { fileId } = await upload(type, bytes);
    const back = await fetchBack(fileId);
    expect(back.type).toBe(type);
    const { exif, icc, iptc, xmp, format } = await sharp(back.bytes).metadata();
    expect([exif, icc, iptc, xmp]).toEqual([undefined, undefined, undefined, undefined]);
    expect(`image/${format}`).toBe(type);
    const text = Buffer.from(back.bytes).toString('latin1');
    for (const trace of [EXIF_SECRET, '<script', '<svg', 'PK\x03\x04', '<?php', '%PDF']) expect(text).not.toContain(trace);
  });
});

describe('files of people', () => {
  test('a file is kept under a name of ours, encrypted, and read back by its owner', async () => {
    const sent = pdf();
    const { fileId, type, bytes, createdTime } = await upload('application/pdf', sent);
    expect({ type, bytes, createdTime }).toEqual({ type: 'application/pdf', bytes: sent.length, createdTime: town.clock.now });
    const stored = await readFile(join(town.directory, 'files', fileId));
    expect(stored.toString('latin1')).not.toContain('PDF');
    const back = await fetchBack(fileId);
    expect(Buffer.from(back.bytes)).toEqual(sent);
    expect(back.name).toBe(`${fileId}.pdf`);
  });

  test('a link is good for 60 seconds, for its own file, and not when a digit of it is changed', async () => {
    const [one, other] = [await upload('image/png', await picture()), await upload('image/png', await picture())];
    const { url, expiresTime } = await browser.call(calls().linkFile, { body: { fileId: one.fileId } });
    const query = queryOf(url);
    const fetched = (changes: object) =>
      refusalOf(Promise.resolve(browser.call(calls().downloadFile, { query: { ...query, ...changes } })));
    expect(expiresTime).toBe(town.clock.now + FILE_LINK_SECONDS * 1_000);
    expect(await fetched({})).toBeUndefined();
    expect(await fetched({ fileId: other.fileId })).toBe('UnknownThing file');
    expect(await fetched({ expires: expiresTime + 1 })).toBe('UnknownThing file');
    town.clock.now = expiresTime - 1;
    expect(await fetched({})).toBeUndefined();
    town.clock.now = expiresTime;
    expect(await fetched({})).toBe('UnknownThing file');
  });

  test('[A4] an image is shown to a reviewer with their number and the time across it; no link of theirs opens it without', async () => {
    const { fileId } = await upload('image/png', await photo(900, 700).png().toBuffer());
    const account = Number(browser.principal().account);
    const documentFacts = { realName: 'Alice Example', documentType: 'PASSPORT', documentNumber: 'C01X00T47', country: 'DE' } as const;
    await browser.call(town.accounts.handlers.identity.identityAuth, { body: { ...documentFacts, fileIds: [fileId] } });
    const urlFor = async (reviewer?: string): Promise<string> => {
      if (reviewer === undefined) return (await browser.call(calls().linkFile, { body: { fileId } })).url;
      return (await town.accounts.identities.inFull({ account, reviewer }))?.files[0]?.url ?? '';
    };
    const pixelsFor = async (reviewer?: string): Promise<Buffer> => {
      const query = queryOf(await urlFor(reviewer));
      const { bytes } = await new Browser(town).call(calls().downloadFile, { query });
      return sharp(bytes).raw().toBuffer();
    };
    const rita = 'Rita-the_reviewer-0000';
    const plain = await pixelsFor();
    const shown = await pixelsFor(rita);
    // In each of the four quarters, and a part of them only.
    for (const [left, top] of [
      [0, 0],
      [450, 0],
      [0, 350],
      [450, 350],
    ] as const) {
      const quarter = (pixels: Buffer) =>
        sharp(pixels, { raw: { width: 900, height: 700, channels: 3 } })
          .extract({ left, top, width: 450, height: 350 })
          .raw()
          .toBuffer();
      const [one, other] = [await quarter(plain), await quarter(shown)];
      const changed = one.filter((byte, place) => byte !== other[place]).length / one.length;
      expect(changed).toBeGreaterThan(0.05);
      expect(changed).toBeLessThan(0.5);
    }
    expect((await pixelsFor(rita)).equals(shown)).toBe(true);
    expect((await pixelsFor('Rita-the_reviewer-0001')).equals(shown)).toBe(false);
    const query = queryOf(await urlFor(rita));
    const opened = (changes: object) => refusalOf(Promise.resolve(browser.call(calls().downloadFile, { query: { ...query, ...changes } })));
    expect(await opened({ reviewer: undefined })).toBe('UnknownThing file');
    expect(await opened({ reviewer: 'Rita-the_reviewer-0001' })).toBe('UnknownThing file');
    town.clock.now += 1_000;
    expect((await pixelsFor(rita)).equals(shown)).toBe(false);
  });

  test('nobody else lists, links to or deletes it', async () => {
    const { fileId } = await upload('image/png', await picture());
    const bob = new Browser(town);
    await bob.login(person(key + 0x70000));
    expect((await bob.call(calls().files)).list).toEqual([]);
    expect(await refusalOf(bob.call(calls().linkFile, { body: { fileId } }))).toBe('UnknownThing file');
    expect(await refusalOf(bob.call(calls().deleteFile, { body: { fileId } }))).toBe('UnknownThing file');
    expect((await browser.call(calls().files)).list).toMatchObject([{ fileId }]);
  });

  test('a deleted file is gone from the disk, and its links with it', async () => {
    const { fileId } = await upload('image/png', await picture());
    const { url } = await browser.call(calls().linkFile, { body: { fileId } });
    await browser.call(calls().deleteFile, { body: { fileId } });
    expect(await onDisk()).not.toContain(fileId);
    expect(await refusalOf(browser.call(calls().downloadFile, { query: queryOf(url) }))).toBe('UnknownThing file');
    expect(await refusalOf(browser.call(calls().deleteFile, { body: { fileId } }))).toBe('UnknownThing file');
  });

  test('an account keeps 20 files, also when many come at once', async () => {
    for (let count = 0; count < FILES_MAX - 2; count += 1) await upload('application/pdf', pdf());
    const answers = await Promise.all(Array.from({ length: 5 }, () => refusalOf(upload('application/pdf', pdf()))));
    expect(answers.filter((answer) => answer === 'TooMany files')).toHaveLength(3);
    const { total, list } = await browser.call(calls().files);
    expect(total).toBe(FILES_MAX);
    const kept = await onDisk();
    expect(list.every(({ fileId }) => kept.includes(fileId))).toBe(true);
  });

  test('an account keeps 50 MiB', async () => {
    const large = Buffer.concat([pdf(), Buffer.alloc(FILE_BYTES_MAX - 2 * pdf().length, ' '), pdf()]);
    for (let count = 0; count < 10; count += 1) expect((await upload('application/pdf', large)).bytes).toBe(FILE_BYTES_MAX);
    expect(await refusalOf(upload('application/pdf', pdf()))).toBe('TooMany files');
    for (const { fileId } of (await browser.call(calls().files)).list) await browser.call(calls().deleteFile, { body: { fileId } });
  });

  test('without the key of the person no file can be read; one whose bytes are lost is unknown', async () => {
    const { fileId } = await upload('image/png', await picture());
    const { fileId: lost } = await upload('image/png', await picture());
    await rm(join(town.directory, 'files', lost));
    expect(await refusalOf(fetchBack(lost))).toBe('UnknownThing file');
    expect(await refusalOf(fetchBack(fileId))).toBeUndefined();
    await town.accounts.keys.erase(browser.principal().account);
    expect(await refusalOf(fetchBack(fileId))).toBe('UnknownThing file');
  });
});

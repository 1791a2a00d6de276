import { IDENTITY_TRIES_PER_DAY, SentFile } from '@orrery/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, openTown, person, refusalOf, type Town } from '../testing/town.ts';
import { isRealName, isSameName, maskedName, maskedNumber, tidyName } from './real-name.ts';

const DAY_MS = 24 * 3_600_000;
const PDF = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0x1de0;
let alice: Browser;
let fileId: string;
beforeEach(async () => {
  alice = await newcomer();
  fileId = await upload(alice);
});

async function newcomer(): Promise<Browser> {
  const browser = new Browser(town);
  await browser.login(person((key += 1)));
  return browser;
}
const upload = async (by: Browser): Promise<string> =>
  (await by.call(town.accounts.handlers.file.uploadFile, { body: new SentFile('application/pdf', PDF) })).fileId;
const said = (more: object = {}) => ({
  realName: 'Alice Example',
  documentType: 'PASSPORT',
  documentNumber: 'C01X00T47',
  country: 'DE',
  fileIds: [fileId],
  ...more,
});
const handIn = (more: object = {}, by = alice) => by.call(town.accounts.handlers.identity.identityAuth, { body: said(more) });
const judge = (realName: string) => alice.call(town.accounts.handlers.identity.nameJudge, { body: { realName } });
const info = (by = alice) => by.call(town.accounts.handlers.auth.accountInfo);
const remove = () => alice.call(town.accounts.handlers.file.deleteFile, { body: { fileId } });
/** As an operator's decision leaves it. */
async function stored(state: string, backReason: string | null = null): Promise<void> {
  await town.db.sql
    .updateTable('accounts_identity')
    .set({ state, back_reason: backReason })
    .where('account', '=', alice.principal().account)
    .execute();
  await town.reopen();
}

describe('an identity', () => {
  test('[A4] none is handed in: the levels of the account say so', async () => {
    expect(await info()).toMatchObject({ idNoStatus: 0, realAuth: false, initialAuth: false, backReason: null, realName: null });
  });

  test('[A4] is handed in, and is not readable in the database', async () => {
    expect(await handIn()).toEqual({ idNoStatus: 1, handedInTime: town.clock.now });
    expect(await info()).toMatchObject({ idNoStatus: 1, realAuth: false, initialAuth: true, backReason: null, realName: null });
    const row = await town.db.sql
      .selectFrom('accounts_identity')
      .selectAll()
      .where('account', '=', alice.principal().account)
      .executeTakeFirstOrThrow();
    expect(row.sealed.toString('latin1')).not.toMatch(/Alice|C01X/);
    expect(row.file_ids).toEqual([fileId]);
  });

  test.each([
    ['realName', { realName: '4711' }, 'MalformedField realName'],
    ['realName', { realName: '<b>Alice</b>' }, 'MalformedField realName'],
    ['country', { country: 'XX' }, 'MalformedField country'],
    ['fileIds', { fileIds: ['0'.repeat(32)] }, 'UnknownThing fileIds'],
  ])('[A4] %s that can not be is named, changes nothing and counts as no try: %j', async (_, more, refusal) => {
    for (let tried = 0; tried <= IDENTITY_TRIES_PER_DAY; tried += 1) expect(await refusalOf(handIn(more))).toBe(refusal);
    expect(await info()).toMatchObject({ idNoStatus: 0 });
    expect(await handIn()).toMatchObject({ idNoStatus: 1 });
  });

  test("[A4] another's file is none of yours", async () => {
    const bob = await newcomer();
    expect(await refusalOf(handIn({}, bob))).toBe('UnknownThing fileIds');
  });

  test('[A4] is handed in once at a time, and again after it was sent back', async () => {
    const outcomes = await Promise.all([refusalOf(handIn()), refusalOf(handIn())]);
    expect(new Set(outcomes)).toEqual(new Set(['AlreadyThere identity', undefined]));
    await stored('SENT_BACK', 'the image is blurred');
    expect(await info()).toMatchObject({ idNoStatus: 3, realAuth: false, initialAuth: false, backReason: 'the image is blurred' });
    expect(await handIn()).toMatchObject({ idNoStatus: 1 });
    expect(await info()).toMatchObject({ idNoStatus: 1, backReason: null });
  });

  test('[A4] is handed in five times a day at most', async () => {
    for (let tried = 0; tried < IDENTITY_TRIES_PER_DAY; tried += 1) {
      await handIn();
      await stored('SENT_BACK', 'no');
    }
    expect(await refusalOf(handIn())).toBe('TooManyRequests');
    expect(await info()).toMatchObject({ idNoStatus: 3 });
    town.clock.now += DAY_MS;
    await alice.login(person(key));
    expect(await handIn()).toMatchObject({ idNoStatus: 1 });
  });

  test('[A4] once approved it shows the real name to the owner, and takes no other', async () => {
    await handIn();
    await stored('APPROVED');
    expect(await info()).toMatchObject({ idNoStatus: 2, realAuth: true, initialAuth: true, realName: 'Alice Example' });
    expect(await refusalOf(handIn({ realName: 'Bob Example' }))).toBe('AlreadyThere identity');
  });

  test('its files are kept while it is handed in or approved', async () => {
    await handIn();
    expect(await refusalOf(remove())).toBe('FileRefused file');
    await stored('APPROVED');
    expect(await refusalOf(remove())).toBe('FileRefused file');
    await stored('SENT_BACK', 'no');
    expect(await refusalOf(remove())).toBeUndefined();
  });
});

describe('the judge of names', () => {
  test('[A4] says whether a name can be handed in, and compares it with an approved one', async () => {
    expect(await judge('Alice Example')).toEqual({ usable: true, matches: null });
    expect(await judge('12345')).toEqual({ usable: false, matches: null });
    await handIn();
    await stored('APPROVED');
    expect(await judge('  ALICE   example ')).toEqual({ usable: true, matches: true });
    expect(await judge('Alice Exampel')).toEqual({ usable: true, matches: false });
  });

  test('[A4] is asked five times a day at most, also by many calls at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 9 }, () => refusalOf(judge('Alice Example'))));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(IDENTITY_TRIES_PER_DAY);
    expect(await refusalOf(judge('Alice Example'))).toBe('TooManyRequests');
    town.clock.now += DAY_MS;
    await alice.login(person(key));
    expect(await refusalOf(judge('Alice Example'))).toBeUndefined();
  });
});

describe('real names', () => {
  test.each(["Siobhán O'Neill", 'Jean-Luc Picard', '王小明', 'Ольга Иванова', 'J. R. Tolkien', 'أحمد'])('%s is one', (name) =>
    expect(isRealName(tidyName(name))).toBe(true),
  );
  test.each(['A', '. .', '-Alice', 'a@b.c', 'Alice\u202eExample', 'Alice 2'])('%j is none', (name) =>
    expect(isRealName(tidyName(name))).toBe(false),
  );
  test('accents composed or not, and both apostrophes, are the same', () => {
    expect(isSameName('Siobha\u0301n O’Neill', "SIOBHÁN O'NEILL")).toBe(true);
  });
  test('masked, its first letters are left, and of a number its last two characters', () => {
    expect(maskedName('Alice Example')).toBe('A*** E***');
    expect(maskedNumber('C01X00T47')).toBe('…47');
  });
});

describe('the review', () => {
  const reviewed = async () => {
    const account = Number(alice.principal().account);
    return { account, handedInTime: (await handIn()).handedInTime };
  };
  const REVIEWER = 'Rita-the_reviewer-0000';
  const SENT_BACK = { decision: 'SENT_BACK' as const, reason: 'the image is blurred' };
  const entryOf = async (account: number) =>
    (await town.accounts.identities.waiting({ page: 1, size: 100 })).list.find((entry) => entry.account === account);

  test('[A4] what waits is masked; in full it has links by which its files are read', async () => {
    const { account, handedInTime } = await reviewed();
    const { realName, documentNumber, ...rest } = said();
    expect(await entryOf(account)).toEqual({
      account,
      handedInTime,
      realName: 'A*** E***',
      documentNumber: '…47',
      documentType: rest.documentType,
      country: rest.country,
      files: 1,
    });
    const full = await town.accounts.identities.inFull({ account, reviewer: REVIEWER });
    expect(full).toMatchObject({ realName, documentNumber, files: [{ type: 'application/pdf' }] });
    const query = Object.fromEntries(new URL(full?.files[0]?.url ?? '', 'http://x').searchParams);
    const { downloadFile } = town.accounts.handlers.file;
    const file = () => new Browser(town).call(downloadFile, { query: { ...query, expires: Number(query['expires']) } });
    expect((await file()).bytes).toHaveLength(PDF.length);
    expect(query['reviewer']).toBe(REVIEWER);
    town.clock.now += 60_000;
    expect(await refusalOf(file())).toBe('UnknownThing file');
  });

  test('[A4] sent back, the person reads why; the same decision again changes nothing, another is refused', async () => {
    const identity = await reviewed();
    await town.accounts.identities.decide({ ...identity, ...SENT_BACK });
    await town.accounts.identities.decide({ ...identity, ...SENT_BACK });
    expect(await refusalOf(town.accounts.identities.decide({ ...identity, decision: 'APPROVED', reason: null }))).toBe(
      'UnknownThing handedInTime',
    );
    expect(await info()).toMatchObject({ idNoStatus: 3, backReason: SENT_BACK.reason });
    expect(await entryOf(identity.account)).toBeUndefined();
  });

  test('[A4] a decision about what was handed in before is not one about what is handed in now', async () => {
    const before = await reviewed();
    await town.accounts.identities.decide({ ...before, ...SENT_BACK });
    town.clock.now += 1;
    const now = await reviewed();
    expect(await town.accounts.identities.isWaiting(before)).toBe(false);
    expect(await refusalOf(town.accounts.identities.decide({ ...before, decision: 'APPROVED', reason: null }))).toBe(
      'UnknownThing handedInTime',
    );
    await town.accounts.identities.decide({ ...now, decision: 'APPROVED', reason: null });
    expect(await info()).toMatchObject({ idNoStatus: 2, realAuth: true, realName: 'Alice Example', backReason: null });
  });
});

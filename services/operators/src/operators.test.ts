import { sql } from 'kysely';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { OPERATOR_IDLE_MS, OPERATOR_SESSION_MS, PROPOSAL_MS } from '@orrery/api';
import { hashOf } from './canonical.ts';
import { FIRST_PREVIOUS_HASH } from './tables.ts';
import { inAnOffice } from './testing/in-an-office.ts';
import { Desk, FIRST_CODE, LISTED, ORIGIN, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const MINUTE = 60_000;

let office: Office;
inAnOffice((opened) => {
  office = opened;
});

const operator = () => office.operators.handlers.operator;

describe('[A10] the door of the operators', () => {
  test('the first operator joins by the code that is printed once, and is an admin; the code works once', async () => {
    expect(office.operators.firstCode).toBe(FIRST_CODE);
    const alice = new Desk(office);
    expect(await refusalOf(alice.register({ code: 'not-the-code-at-all', name: 'alice' }))).toBe('InvalidCode');
    expect(await alice.register({ code: FIRST_CODE, name: 'alice' })).toMatchObject({ name: 'alice', role: 'admin' });
    expect(await refusalOf(new Desk(office).register({ code: FIRST_CODE, name: 'mallory' }))).toBe('InvalidCode');
    await office.reopen();
    expect(office.operators.firstCode).toBeUndefined();
    expect(await refusalOf(new Desk(office).register({ code: FIRST_CODE, name: 'mallory' }))).toBe('InvalidCode');
  });

  test('two who hold the first code at the same moment: one comes in', async () => {
    const outcomes = await Promise.all(
      ['alice', 'mallory'].map((name) => refusalOf(new Desk(office).register({ code: FIRST_CODE, name }))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'InvalidCode')).toHaveLength(1);
  });

  test('the cookie is for this host only, not for pages, never sent from elsewhere', async () => {
    const { alice } = await people(office);
    expect(Object.keys(alice.cookies)).toEqual(['__Host-orrery-operator']);
    expect(alice.cookieOptions).toEqual([
      { path: '/', httpOnly: true, secure: true, sameSite: 'strict', maxAgeSeconds: OPERATOR_SESSION_MS / 1_000 },
    ]);
  });

  test('a passkey signs in; another device, another site, a used answer and a device that did not ask who holds it do not', async () => {
    const { alice } = await people(office);
    await alice.signOut();
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('NotSignedIn');
    expect(await refusalOf(new Desk(office).signIn())).toBe('InvalidPasskey');
    expect(await refusalOf(alice.signIn({ unverified: true }))).toBe('InvalidPasskey');
    const { door } = office.operators.handlers;
    const { challenge } = await alice.knock(door.passkeyRequest, {});
    const elsewhere = alice.device.prove(challenge, { origin: 'https://orrery.example' });
    expect(await refusalOf(alice.knock(door.signInOperator, elsewhere))).toBe('InvalidPasskey');
    const fresh = (await alice.knock(door.passkeyRequest, {})).challenge;
    const proof = alice.device.prove(fresh, { origin: 'http://localhost:8080' });
    expect(await alice.knock(door.signInOperator, proof)).toMatchObject({ name: 'alice', role: 'admin' });
    expect(await refusalOf(alice.knock(door.signInOperator, proof))).toBe('InvalidPasskey');
  });

  test('passkey challenges are for each person: a flood of starts evicts no other challenge, of a newcomer or of a sign-in', async () => {
    const { door } = office.operators.handlers;
    const [alice, mallory] = [new Desk(office), new Desk(office)];
    const flood = async (): Promise<void> => {
      for (let n = 0; n < 1_500; n += 1) await mallory.knock(door.passkeyRequest, {});
    };
    const made = await alice.knock(door.passkeyCreation, { code: FIRST_CODE, name: 'alice' });
    await flood();
    const passkey = { code: FIRST_CODE, ...alice.device.make(made.challenge, { origin: ORIGIN }) };
    expect(await alice.knock(door.registerOperator, passkey)).toMatchObject({ name: 'alice' });

    const { challenge } = await alice.knock(door.passkeyRequest, {});
    await flood();
    const proof = alice.device.prove(challenge, { origin: ORIGIN });
    const answers = await Promise.all([1, 2].map(() => refusalOf(alice.knock(door.signInOperator, proof))));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'InvalidPasskey')).toHaveLength(1);
  });

  test('a passkey is not made by a device that did not ask who holds it, nor by an answer that came too late', async () => {
    const mallory = new Desk(office);
    expect(await refusalOf(mallory.register({ code: FIRST_CODE, name: 'mallory', unverified: true }))).toBe('InvalidPasskey');
    const { door } = office.operators.handlers;
    const { challenge } = await mallory.knock(door.passkeyCreation, { code: FIRST_CODE, name: 'mallory' });
    office.clock.now += 5 * MINUTE;
    const late = { code: FIRST_CODE, ...mallory.device.make(challenge, { origin: 'http://localhost:8080' }) };
    expect(await refusalOf(mallory.knock(door.registerOperator, late))).toBe('InvalidPasskey');
  });

  test('a session ends after 15 minutes without a call, and after 8 hours with them', async () => {
    const { alice } = await people(office);
    office.clock.now += OPERATOR_IDLE_MS - 1;
    expect(await alice.call(operator().operatorMe)).toMatchObject({ name: 'alice' });
    office.clock.now += OPERATOR_IDLE_MS;
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('SessionExpired');
    await alice.signIn();
    for (let at = 0; at < OPERATOR_SESSION_MS - 10 * MINUTE; at += 10 * MINUTE) {
      office.clock.now += 10 * MINUTE;
      await alice.call(operator().operatorMe);
    }
    office.clock.now += 10 * MINUTE;
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('SessionExpired');
  });

  test('a removed operator loses the session at once and cannot sign in; the last admin stays', async () => {
    const { alice, bob } = await people(office);
    const { operatorId: bobsId } = await bob.call(operator().operatorMe);
    const { operatorId: alicesId } = await alice.call(operator().operatorMe);
    expect(await refusalOf(alice.call(operator().endOperator, { body: { operatorId: alicesId } }))).toBe('LastAdmin');
    await alice.call(operator().endOperator, { body: { operatorId: bobsId } });
    expect(await refusalOf(bob.call(operator().operatorMe))).toBe('NotSignedIn');
    expect(await refusalOf(bob.signIn())).toBe('InvalidPasskey');
    expect(await refusalOf(alice.call(operator().endOperator, { body: { operatorId: bobsId } }))).toBe('UnknownThing operatorId');
  });
});

describe('[A10] two persons', () => {
  test('an invitation opens for a second operator without anybody, and for a third one when another approves', async () => {
    const { alice, bob } = await people(office);
    const { code, proposal: asked } = await alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'viewer' } });
    expect(await refusalOf(new Desk(office).register({ code, name: 'carol' }))).toBe('InvalidCode');
    const [proposal] = (await bob.call(operator().proposals)).list;
    expect(proposal).toEqual(asked);
    expect(proposal?.change).toContain('"name":"carol","role":"viewer"');
    await bob.call(operator().approveProposal, { body: proposal });
    expect(await refusalOf(new Desk(office).register({ code, name: 'dave' }))).toBe('InvalidCode');
    expect(await new Desk(office).register({ code, name: 'carol' })).toMatchObject({ role: 'viewer' });
    expect(await refusalOf(alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'admin' } }))).toBe('AlreadyThere name');
  });

  async function proposed(by: Desk, role: 'viewer' | 'admin', whose: Desk) {
    const { operatorId } = await whose.call(operator().operatorMe);
    return by.call(operator().proposeRole, { body: { operatorId, role } });
  }

  test('nobody approves their own proposal; another one does, once', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    expect(await bob.call(operator().operatorMe)).toMatchObject({ role: 'operator' });
    expect(await bob.call(operator().approveProposal, { body: proposal })).toMatchObject({ state: 'DONE', decidedBy: 'bob' });
    expect(await bob.call(operator().operatorMe)).toMatchObject({ role: 'admin' });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
  });

  test('[A4] no role reviews: the right is granted by two, and taken by one at once', async () => {
    const { alice, bob } = await people(office);
    const { operatorId } = await bob.call(operator().operatorMe);
    const body = { operatorId, right: 'reviewer' as const };
    const rightsOf = async (of: Desk) => (await of.call(operator().operatorMe)).rights;
    expect([await rightsOf(alice), await rightsOf(bob)]).toEqual([[], []]);
    const proposal = await alice.call(operator().proposeRight, { body });
    expect(JSON.parse(proposal.change)).toEqual({ operatorId, name: 'bob', right: 'reviewer' });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    expect(await rightsOf(bob)).toEqual([]);
    await bob.call(operator().approveProposal, { body: proposal });
    expect([await rightsOf(alice), await rightsOf(bob)]).toEqual([[], ['reviewer']]);
    expect((await alice.call(operator().operators)).list.map(({ name, rights }) => [name, rights])).toEqual([
      ['alice', []],
      ['bob', ['reviewer']],
    ]);
    expect(await refusalOf(alice.call(operator().proposeRight, { body }))).toBe('AlreadyThere right');
    await alice.call(operator().endRight, { body });
    expect(await rightsOf(bob)).toEqual([]);
    expect(await refusalOf(alice.call(operator().endRight, { body }))).toBe('UnknownThing right');
    expect(await refusalOf(alice.call(operator().endRight, { body: { ...body, operatorId: 'x'.repeat(22) } }))).toBe(
      'UnknownThing operatorId',
    );
    expect((await alice.actions()).slice(-3)).toEqual(['alice PROPOSE', 'bob APPROVE', 'alice END_RIGHT']);
  });

  test('two approvals at the same moment: one is taken', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    const outcomes = await Promise.all([1, 2].map(() => refusalOf(bob.call(operator().approveProposal, { body: proposal }))));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ProposalOver')).toHaveLength(1);
  });

  test('a proposal waits 15 minutes and not a moment longer', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    office.clock.now += PROPOSAL_MS;
    await Promise.all([alice.signIn(), bob.signIn()]);
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
    expect((await bob.call(operator().proposals)).list[0]).toMatchObject({ state: 'EXPIRED' });
  });

  test('the approval is of exactly this change: another hash, a changed row, a changed ground are refused', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    const other = { ...proposal, hash: `0x${'1'.repeat(64)}` };
    expect(await refusalOf(bob.call(operator().approveProposal, { body: other }))).toBe('MalformedField hash');
    const id = proposal.proposalId;
    const tampered = proposal.change.replace('admin', 'viewer');
    await office.db.sql.updateTable('operators_proposal').set({ change: tampered }).where('proposal_id', '=', id).execute();
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
    await office.db.sql.updateTable('operators_proposal').set({ change: proposal.change }).where('proposal_id', '=', id).execute();
    await office.db.sql.updateTable('operators_operator').set({ role: 'viewer' }).where('name', '=', 'bob').execute();
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
  });

  test('a rejected proposal is over, for everybody', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'viewer', bob);
    await alice.call(operator().rejectProposal, { body: { proposalId: proposal.proposalId } });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
    expect(await refusalOf(bob.call(operator().rejectProposal, { body: { proposalId: 99 } }))).toBe('UnknownThing proposalId');
  });

  test('the only admin can not be made less', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'viewer', alice);
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('LastAdmin');
  });
});

test('a notice is a message once, when it begins to be shown; banners are none', async () => {
  const { bob } = await people(office);
  const { noticeDesk } = office.operators.handlers;
  const heard: string[] = [];
  office.operators.onNotice(({ title }) => heard.push(title));
  const publish = (notice: object) =>
    bob.call(noticeDesk.createNotice, { body: { kind: 'NOTICE' as const, title: 'Now', text: 'It is open.', ...notice } });
  await publish({});
  await publish({ kind: 'BANNER', title: 'Across the page' });
  await publish({ title: 'Later', startsAt: office.clock.now + MINUTE });
  await office.operators.runDue();
  expect(heard).toEqual(['Now']);
  office.clock.now += MINUTE;
  await office.operators.runDue();
  await office.operators.runDue();
  expect(heard).toEqual(['Now', 'Later']);
  await office.reopen();
  office.operators.onNotice(({ title }) => heard.push(title));
  await office.operators.runDue();
  expect(heard).toEqual(['Now', 'Later']);
});

describe('[A10] the audit log', () => {
  test('has a row for everything that was done, in the order in which it was done, and holds', async () => {
    const { alice, bob } = await people(office);
    const { blockDesk, noticeDesk } = office.operators.handlers;
    await bob.call(blockDesk.blockAddress, { body: { address: CAROL, reason: 'a test' } });
    const { noticeId } = await bob.call(noticeDesk.createNotice, { body: { kind: 'BANNER', title: 'Tonight', text: '' } });
    await alice.call(noticeDesk.endNotice, { body: { noticeId } });
    await alice.signOut();
    await alice.signIn();
    expect(await alice.actions()).toEqual([
      'alice JOIN',
      'alice PROPOSE',
      'alice INVITE_ALONE',
      'bob JOIN',
      'bob BLOCK',
      'bob CREATE_NOTICE',
      'alice END_NOTICE',
      'alice SIGN_IN',
    ]);
    expect((await alice.auditLog()).brokenAt).toBeNull();
  });

  test.each([
    ['a changed row', 'update operators_audit set detail = \'{"name":"mallory"}\' where seq = 2', 2],
    ['a changed time', 'update operators_audit set at = at + 1 where seq = 3', 3],
    ['a row left out', 'delete from operators_audit where seq = 2', 2],
    ['the last row left out', 'delete from operators_audit where seq = 4', 4],
    [
      'a row put in',
      `insert into operators_audit select 5, at, operator, action, detail, hash, hash from operators_audit where seq = 4;
       update operators_audit_head set seq = 5`,
      5,
    ],
  ])('%s is found and named, also at the next start', async (_what, tampering, row) => {
    const { alice } = await people(office);
    expect((await alice.auditLog()).brokenAt).toBeNull();
    for (const statement of tampering.split(';')) await sql.raw(statement).execute(office.db.sql);
    expect((await alice.auditLog()).brokenAt).toBe(row);
    await office.reopen();
    expect(office.operators.auditBrokenAt).toBe(row);
  });

  /** As a writer of the database may: row `from` names another operator, and every row after it follows. */
  async function rebuild(from: number): Promise<void> {
    const { sql: db } = office.db;
    const rows = await db.selectFrom('operators_audit').selectAll().orderBy('seq').execute();
    let previous = FIRST_PREVIOUS_HASH;
    for (const { hash: _, ...row } of rows) {
      const forged = { ...row, operator: row.seq === from ? 'mallory' : row.operator, previous_hash: previous };
      previous = hashOf(forged);
      const change = { operator: forged.operator, previous_hash: forged.previous_hash, hash: previous };
      await db.updateTable('operators_audit').set(change).where('seq', '=', row.seq).execute();
    }
    await db.updateTable('operators_audit_head').set({ hash: previous }).execute();
  }

  test('rows rebuilt with a consistent chain by a writer of the database are found, at once and at the next start', async () => {
    const { alice } = await people(office);
    await office.operators.runDue();
    expect(office.operators.auditUntrue()).toBeUndefined();
    await rebuild(2);
    // Also before anybody looks at the log: the next head does not follow.
    await office.operators.runDue();
    expect(office.operators.auditUntrue()).toBe('row 2 of the audit log is not as it was written');
    expect((await alice.auditLog()).brokenAt).toBe(2);
    await office.reopen();
    expect(office.operators.auditBrokenAt).toBe(2);
    expect(office.operators.auditUntrue()).toBe('row 2 of the audit log is not as it was written');
  });

  test('a rebuilt chain is found also when operators went on with it', async () => {
    const { alice, bob } = await people(office);
    await office.operators.runDue();
    await rebuild(3);
    await bob.call(office.operators.handlers.blockDesk.blockAddress, { body: { address: CAROL, reason: 'a test' } });
    await office.operators.runDue();
    expect((await alice.auditLog()).brokenAt).toBe(3);
    await office.reopen();
    expect(office.operators.auditBrokenAt).toBe(3);
  });

  test('the newest rows taken out together with the head of the database are found', async () => {
    const { alice } = await people(office);
    await office.operators.runDue();
    await sql.raw('delete from operators_audit where seq > 2').execute(office.db.sql);
    await sql
      .raw('update operators_audit_head set seq = 2, hash = (select hash from operators_audit where seq = 2)')
      .execute(office.db.sql);
    expect((await alice.auditLog()).brokenAt).toBe(3);
    await office.reopen();
    expect(office.operators.auditBrokenAt).toBe(3);
  });

  test('a crash between a row and its head, or in the middle of a head, is no alarm; heads of before there was a file are kept from then on', async () => {
    const { alice } = await people(office);
    await office.operators.runDue();
    const text = await readFile(office.auditHeadsFile, 'utf8');
    expect(text.split('\n').map((line) => line.slice(0, 4))).toEqual(['1 0x', '2 0x', '3 0x', '4 0x', '']);
    await writeFile(office.auditHeadsFile, text.slice(0, -50));
    await office.reopen();
    expect([office.operators.auditBrokenAt, (await alice.auditLog()).brokenAt]).toEqual([undefined, null]);
    expect(await readFile(office.auditHeadsFile, 'utf8')).toBe(text);
    await office.operators.stop();
    await rm(office.auditHeadsFile);
    await office.reopen();
    expect(await readFile(office.auditHeadsFile, 'utf8')).toBe(text);
    await rebuild(1);
    expect((await alice.auditLog()).brokenAt).toBe(1);
  });

  test('what is refused leaves no row and changes nothing', async () => {
    const { alice, bob } = await people(office);
    const before = await alice.actions();
    const { blockDesk, noticeDesk } = office.operators.handlers;
    expect(await refusalOf(bob.call(blockDesk.blockAddress, { body: { address: LISTED, reason: 'again' } }))).toBe('AlreadyThere address');
    expect(await refusalOf(bob.call(blockDesk.unblockAddress, { body: { address: LISTED, reason: 'mercy' } }))).toBe(
      'MalformedField address',
    );
    expect(await refusalOf(bob.call(blockDesk.unblockAddress, { body: { address: CAROL, reason: 'mercy' } }))).toBe('UnknownThing address');
    const over = { kind: 'NOTICE', title: 'Over', text: '', endsAt: office.clock.now };
    expect(await refusalOf(bob.call(noticeDesk.createNotice, { body: over }))).toBe('MalformedField endsAt');
    expect(await refusalOf(bob.call(noticeDesk.endNotice, { body: { noticeId: 7 } }))).toBe('UnknownThing noticeId');
    expect(await alice.actions()).toEqual(before);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR_IDLE_MS } from '@orrery/api';
import { inAnOffice } from './testing/in-an-office.ts';
import { Desk, FIRST_CODE, ORIGIN, refusalOf, type Office } from './testing/office.ts';

const DAY = 24 * 3_600_000;
const ANOTHER_CODE = 'another-code-of-the-installation';

let office: Office;
let alice: Desk;
inAnOffice(
  async (opened) => {
    office = opened;
    alice = new Desk(office);
    await alice.register({ code: FIRST_CODE, name: 'alice' });
  },
  { timelockMs: DAY },
);

const operator = () => office.operators.handlers.operator;
const invite = (name: string, role: 'viewer' | 'operator' | 'admin' = 'operator') =>
  alice.call(operator().inviteOperator, { body: { name, role } });
const comes = (name: string, code: string) => refusalOf(new Desk(office).register({ code, name }));
const audit = async () => (await alice.auditLog()).list.map(({ action }) => action).toReversed();

async function pass(ms: number): Promise<void> {
  office.clock.now += ms;
  await office.operators.runDue();
  if (ms >= OPERATOR_IDLE_MS) await alice.signIn();
}

describe('[A10] who is alone', () => {
  test('invites a second operator in the sight of all, and waits for the timelock', async () => {
    const { code, proposal } = await invite('bob');
    expect(proposal).toMatchObject({ kind: 'INVITE', state: 'APPROVED', decidedBy: null, effectiveAt: office.clock.now + DAY });
    expect((await alice.call(operator().proposals, { query: { state: 'OPEN' } })).list).toEqual([proposal]);
    expect((await audit()).slice(-2)).toEqual(['PROPOSE', 'INVITE_ALONE']);
    await pass(DAY - 1);
    expect(await comes('bob', code)).toBe('InvalidCode');
    await pass(1);
    expect(await comes('bob', code)).toBeUndefined();
  });

  test('takes it back while the timelock runs', async () => {
    const { code, proposal } = await invite('bob');
    await alice.call(operator().cancelProposal, { body: { proposalId: proposal.proposalId } });
    await pass(DAY);
    expect(await comes('bob', code)).toBe('InvalidCode');
  });

  test('refuses a viewer as the second operator: a viewer cannot approve', async () => {
    expect(await refusalOf(invite('bob', 'viewer'))).toBe('MalformedField role');
  });

  test.each(['before', 'after'])(
    'has one second operator: other invitations that open %s that one came are worth nothing',
    async (when) => {
      const first = await invite('bob');
      if (when === 'before') await pass(DAY / 2);
      const second = await invite('mallory');
      await pass(when === 'before' ? DAY / 2 : DAY);
      expect(await comes('bob', first.code)).toBeUndefined();
      await pass(DAY / 2);
      expect(await comes('mallory', second.code)).toBe('InvalidCode');
    },
  );

  test('two that open at the same moment: one comes in', async () => {
    const codes = [await invite('bob'), await invite('mallory')];
    await pass(DAY);
    const comers = await Promise.all(
      codes.map(async ({ code, proposal }) => {
        const { name } = JSON.parse(proposal.change) as { name: string };
        const desk = new Desk(office);
        const { door } = office.operators.handlers;
        return { code, desk, door, made: await desk.knock(door.passkeyCreation, { code, name }) };
      }),
    );
    const outcomes = await Promise.all(
      comers.map(({ code, desk, door, made }) =>
        refusalOf(desk.knock(door.registerOperator, { code, ...desk.device.make(made.challenge, { origin: ORIGIN }) })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'InvalidCode')).toHaveLength(1);
  });

  test('an unused invitation is replaced', async () => {
    await invite('bob');
    await pass(3 * DAY);
    const { code } = await invite('bob');
    await pass(DAY);
    expect(await comes('bob', code)).toBeUndefined();
  });
});

describe('[A10] who was two', () => {
  beforeEach(async () => {
    const { code } = await invite('bob');
    await pass(DAY);
    await new Desk(office).register({ code, name: 'bob' });
    const { list } = await alice.call(operator().operators);
    await alice.call(operator().endOperator, { body: { operatorId: list[1]?.operatorId } });
  });

  test('is never alone again: removing everybody else does not let one person invite a second alone', async () => {
    const { code, proposal } = await invite('mallory');
    expect(proposal.state).toBe('WAITING');
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    await pass(2 * DAY);
    expect(await comes('mallory', code)).toBe('InvalidCode');
  });

  test('the code by which the first one came opens nothing more; another one of the installation does, once', async () => {
    await office.reopen();
    expect(await comes('mallory', FIRST_CODE)).toBe('InvalidCode');
    office.settings.firstCode = ANOTHER_CODE;
    await office.reopen();
    expect(office.operators.firstCode).toBeUndefined();
    expect(await comes('carol', ANOTHER_CODE)).toBeUndefined();
    expect(await comes('mallory', ANOTHER_CODE)).toBe('InvalidCode');
    await office.reopen();
    expect(await comes('mallory', ANOTHER_CODE)).toBe('InvalidCode');
  });
});

test('[A10] while there are two operators the installation code lets nobody in', async () => {
  const { code } = await invite('bob');
  await pass(DAY);
  await new Desk(office).register({ code, name: 'bob' });
  office.settings.firstCode = ANOTHER_CODE;
  await office.reopen();
  expect(await comes('mallory', ANOTHER_CODE)).toBe('InvalidCode');
});

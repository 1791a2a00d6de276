/**
 * The operators' console in a real browser with a virtual authenticator, on the whole program: the first operator by the code that is printed
 * once, passkeys, a banner that everybody sees, an account admitted by hand, a change that needs two persons, and the audit log.
 */
import { beforeAll, expect, test } from 'vitest';
import { barriers } from './accessibility.ts';
import { browser, visit, withBrowser } from './browser.ts';
import { openArea as open, openDesk, register, says, signedInAs, table } from './console-desk.ts';
import { signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';

const AREAS = [
  'Audit log',
  'Proposals',
  'Operators',
  'Lucky blocks',
  'Clusters',
  'Campaigns',
  'Tasks',
  'Rewards',
  'OTC',
  'Withdrawals',
  'Identity',
  'Blocked addresses',
  'Notices',
  'Whitelist',
  'Overview',
];

/** Passkeys are for names of hosts. */
let named: string;

withProgram({
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_WHITELIST: 'weekly',
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_TIMELOCK_SECONDS: '2',
  },
});
withBrowser();
beforeAll(async () => {
  named = program.url.replace('127.0.0.1', 'localhost');
});

test('[A10] operators sign in by passkey, publish a banner, admit an account, approve in twos, and the audit log is intact', async () => {
  const { client, address } = await signIn(program.url, { from: '203.0.113.1' });
  expect((await client.checkWhitelist({ address })).inWhitelist).toBe(false);

  const alice = await openDesk(browser, { url: named });
  await register(alice, { code: 'not-the-code-at-all', name: 'alice' });
  await alice.page.getByRole('alert').getByText('the one-time code is unknown, used or too old').waitFor();
  await register(alice, { code: FIRST_CODE, name: 'alice' });
  await signedInAs(alice, 'alice · Admin');
  expect(await alice.page.getByRole('link', { name: 'Spot' }).count()).toBe(0);

  await alice.page.getByRole('button', { name: 'Sign out' }).click();
  await alice.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await signedInAs(alice, 'alice · Admin');
  const session = (await alice.page.context().cookies()).find(({ name }) => name === '__Host-orrery-operator');
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' });

  await open(alice, 'Notices');
  await alice.page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Banner' });
  await alice.page.getByRole('textbox', { name: 'Title' }).fill('Maintenance tonight');
  await alice.page.getByRole('textbox', { name: 'Text' }).fill('From 22:00 UTC, for ten minutes.');
  await alice.page.getByRole('textbox', { name: 'Link' }).fill('/status');
  await alice.page.getByRole('button', { name: 'Publish' }).click();
  await says(alice, 'Published');
  await table(alice, 'Notices').getByText('Shown').waitFor();

  const visitor = await visit(browser, { url: program.url });
  await visitor.page.goto('/faucet');
  const banner = visitor.page.getByRole('region', { name: 'Announcement' });
  await banner.getByText('Maintenance tonight').waitFor();
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await banner.waitFor({ state: 'detached' });
  await visitor.page.reload();
  await visitor.page.getByRole('button', { name: 'Notifications' }).waitFor();
  expect(await banner.count()).toBe(0);

  await open(alice, 'Whitelist');
  const waiting = table(alice, 'Waiting list');
  const masked = `${address.slice(0, 4)}…${address.slice(-2)}`.toLowerCase();
  await waiting.getByText(masked, { exact: true }).waitFor();
  await waiting.getByRole('button', { name: 'Show' }).click();
  const why = alice.page.getByRole('dialog', { name: 'Show personal data' });
  await why.getByRole('textbox', { name: 'Reason' }).fill('They asked for help');
  await why.getByRole('button', { name: 'Show' }).click();
  await says(alice, 'Shown: 49 views are left of 24 hours');
  await waiting.getByTitle(address.toLowerCase()).waitFor();
  await waiting.getByRole('button', { name: 'Admit' }).click();
  await says(alice, 'Admitted');
  await alice.page.getByText('Nobody is waiting.').waitFor();
  await until('the whitelist knows', async () => (await client.checkWhitelist({ address })).inWhitelist);

  await open(alice, 'Operators');
  await alice.page.getByRole('textbox', { name: 'Name' }).fill('bob');
  await alice.page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Operator' });
  await alice.page.getByRole('button', { name: 'Make a one-time code' }).click();
  const code = await alice.page.getByText('Good for bob').locator('code').innerText();
  await open(alice, 'Overview');
  await alice.page.getByText('alice invites bob without a second person').waitFor();
  await open(alice, 'Proposals');
  await table(alice, 'Proposals').getByText('Done (alone)').waitFor();
  const bob = await openDesk(browser, { url: named });
  await register(bob, { code, name: 'bob' });
  await signedInAs(bob, 'bob · Operator');

  await open(alice, 'Whitelist');
  await open(alice, 'Operators');
  await alice.page.getByRole('combobox', { name: 'Role of bob' }).selectOption({ label: 'Admin' });
  await says(alice, 'Proposed: another operator approves it');
  await open(alice, 'Proposals');
  await table(alice, 'Proposals').getByText('Waiting').waitFor();
  expect(await table(alice, 'Proposals').getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await open(bob, 'Proposals');
  await table(bob, 'Proposals').getByRole('button', { name: 'Approve' }).click();
  await bob.page.getByRole('dialog', { name: 'Approve proposal 2' }).getByRole('button', { name: 'Approve' }).click();
  await says(bob, 'Approved');
  await table(bob, 'Proposals').getByText('Done (bob)').waitFor();

  await open(bob, 'Rewards');
  await bob.page.getByRole('textbox', { name: 'Address' }).first().fill(address);
  await bob.page.getByRole('textbox', { name: 'Points', exact: true }).first().fill('500');
  await bob.page.getByRole('textbox', { name: 'Reason' }).first().fill('A bug found');
  await bob.page.getByRole('button', { name: 'Propose award' }).first().click();
  await says(bob, 'Proposed: another operator approves it');
  expect((await client.taskCount({ walletAddress: address })).points).toBe(0);
  await open(alice, 'Whitelist');
  await open(alice, 'Proposals');
  await table(alice, 'Proposals').getByRole('button', { name: 'Approve' }).click();
  await alice.page.getByRole('dialog', { name: 'Approve proposal 3' }).getByRole('button', { name: 'Approve' }).click();
  await says(alice, 'Approved');
  await until('the points are there', async () => (await client.taskCount({ walletAddress: address })).points === 500);
  await table(alice, 'Proposals').getByRole('link', { name: 'Reverse' }).click();
  await alice.page.getByRole('heading', { name: 'Rewards', level: 1 }).waitFor();
  expect(await alice.page.getByRole('textbox', { name: 'Key of the award' }).inputValue()).toBe('manual:proposal-3');
  await alice.page.getByRole('textbox', { name: 'Address' }).last().fill(address);
  await alice.page.getByRole('button', { name: 'Look up' }).click();
  await table(alice, 'Awards of an address').getByText('A bug found').waitFor();

  await open(bob, 'Rewards');
  await bob.page.getByRole('textbox', { name: 'Faucet claims a day' }).fill('600');
  await bob.page.getByRole('button', { name: 'Change budgets' }).click();
  await says(bob, 'Proposed: another operator approves it');
  await open(alice, 'Rewards');
  await open(alice, 'Proposals');
  await table(alice, 'Proposals').getByRole('button', { name: 'Approve' }).click();
  await alice.page.getByRole('dialog', { name: 'Approve proposal 4' }).getByRole('button', { name: 'Approve' }).click();
  await table(alice, 'Proposals').getByText('Done (alice)').nth(1).waitFor();
  await open(bob, 'Audit log');
  await open(bob, 'Rewards');
  await bob.page.getByText('600', { exact: true }).waitFor();

  const isOffered = async (): Promise<boolean> => (await client.taskCatalogue()).some(({ taskCode }) => taskCode === 'NEWCOMER_DEPOSIT');
  expect(await isOffered()).toBe(true);
  await open(bob, 'Tasks');
  const deposit = table(bob, 'Tasks').getByRole('row').filter({ hasText: 'NEWCOMER_DEPOSIT' });
  await deposit.getByRole('button', { name: 'Deactivate' }).click();
  await says(bob, 'Task changed');
  await deposit.getByText('Off', { exact: true }).waitFor();
  expect(await isOffered()).toBe(false);
  await deposit.getByRole('button', { name: 'Change' }).click();
  await bob.page.getByRole('textbox', { name: 'Reward in points' }).fill('501');
  await bob.page.getByRole('button', { name: 'Save' }).click();
  await says(bob, 'Proposed: another operator approves it');
  await deposit.getByText('500', { exact: true }).waitFor();

  await open(bob, 'Campaigns');
  const weekly = table(bob, 'Campaigns').getByRole('row').filter({ hasText: 'Weekly leaderboard' });
  for (const state of ['Running', 'Upcoming']) await weekly.getByText(state, { exact: true }).waitFor();
  await bob.page.getByRole('textbox', { name: 'Short name, in a-z, 0-9 and -' }).fill('launch');
  await bob.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Launch week');
  await bob.page.getByRole('textbox', { name: 'Starts (UTC)' }).fill('4.1.2100');
  await bob.page.getByRole('alert').getByText('This is no time').waitFor();
  await bob.page.getByRole('textbox', { name: 'Prizes by rank' }).fill('1: 5000, first: 3');
  await bob.page.getByRole('alert').getByText('“first: 3” is no prize').waitFor();
  await bob.page.getByRole('textbox', { name: 'Starts (UTC)' }).fill('2100-01-04 00:00');
  await bob.page.getByRole('textbox', { name: 'Ends (UTC)' }).fill('2100-01-11 00:00');
  await bob.page.getByRole('textbox', { name: 'Prizes by rank' }).fill('1: 5000, 2-10: 500');
  await bob.page.getByRole('button', { name: 'Propose campaign' }).click();
  await says(bob, 'Proposed: another operator approves it');
  await open(alice, 'Whitelist');
  await open(alice, 'Proposals');
  for (const [proposal, row] of [
    [5, 'Task with a higher reward'],
    [6, 'launch'],
  ] as const) {
    const waiting = table(alice, 'Proposals').getByRole('row').filter({ hasText: row });
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await alice.page
      .getByRole('dialog', { name: `Approve proposal ${proposal}` })
      .getByRole('button', { name: 'Approve' })
      .click();
    await waiting.getByText('Done (alice)').waitFor();
  }
  await open(alice, 'Tasks');
  await table(alice, 'Tasks').getByRole('row').filter({ hasText: 'NEWCOMER_DEPOSIT' }).getByText('501', { exact: true }).waitFor();
  await open(alice, 'Campaigns');
  const launch = table(alice, 'Campaigns').getByRole('row').filter({ hasText: 'Launch week' });
  await launch.getByText('1: 5000, 2-10: 500').waitFor();
  await launch.getByRole('button', { name: 'Stop' }).click();
  await alice.page.getByRole('dialog', { name: 'Stop Launch week' }).getByRole('button', { name: 'Stop' }).click();
  await launch.getByText('Called off').waitFor();
  const { accountId } = await client.accountInfo();
  await open(bob, 'Blocked addresses');
  await bob.page.getByRole('textbox', { name: 'Account number' }).fill(accountId);
  await bob.page.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'An authority ordered it' });
  await bob.page.getByRole('button', { name: 'Propose', exact: true }).click();
  await says(bob, 'Proposed: another operator approves it');
  await open(alice, 'Proposals');
  const deletion = table(alice, 'Proposals').getByRole('row').filter({ hasText: 'Delete an account' });
  await deletion.getByRole('button', { name: 'Approve' }).click();
  await alice.page.getByRole('dialog', { name: 'Approve proposal 7' }).getByRole('button', { name: 'Approve' }).click();
  await deletion.getByText('Done (alice)').waitFor();
  expect(await client.erasure()).toMatchObject({ waiting: { askedBy: 'OPERATORS', abandon: false } });
  await bob.page.getByRole('textbox', { name: 'Account number' }).fill(accountId);
  await bob.page.getByRole('button', { name: 'Keep the account' }).click();
  await says(bob, 'The account is kept');
  expect(await client.erasure()).toMatchObject({ waiting: null });

  await open(bob, 'Clusters');
  await bob.page.getByText('No suspicious cluster was found.').waitFor();
  await bob.page.getByRole('link', { name: 'Take an award back' }).click();
  await bob.page.getByRole('button', { name: 'Propose reversal' }).waitFor();

  await open(bob, 'Audit log');
  await bob.page.getByText('Verified: every row is as it was written').waitFor();
  await bob.page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50');
  for (const action of [
    'JOIN',
    'SIGN_IN',
    'CREATE_NOTICE',
    'ADMIT_WAITING',
    'UNMASK',
    'INVITE_ALONE',
    'PROPOSE',
    'APPROVE',
    'AWARD',
    'BUDGET',
    'TASK',
    'CAMPAIGN',
    'STOP_CAMPAIGN',
  ])
    await table(bob, 'Audit log').getByText(action, { exact: true }).first().waitFor();
  for (const area of AREAS) {
    await open(bob, area);
    await bob.page.getByRole('heading', { name: area, level: 1 }).waitFor();
    expect(await barriers(bob.page), area).toEqual([]);
  }
  // A visitor without a session gets a 401, which browsers log.
  const notOurs = (complaint: string): boolean => !complaint.includes('401');
  expect([alice, bob, visitor].flatMap(({ complaints }) => complaints).filter(notOurs)).toEqual([]);
});

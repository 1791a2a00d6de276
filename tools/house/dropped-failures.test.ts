import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';
import { droppedFailureViolations } from './dropped-failures.ts';
import type { SourceFile } from './source-rules.ts';

/** What a page is whole without where it could not be read. Queries that failed in passing are asked again by themselves. */
const REASONS: Readonly<Record<string, string>> = {
  'areas/account/api-keys-page.tsx': 'the table of keys says that the account could not be read; without it none can be made',
  'areas/account/delete-account.tsx': 'the section above it is the account’s, and says so',
  'areas/account/identity-form.tsx': 'a list of choices: it opens empty, and is read again',
  'areas/account/name-field.tsx': 'a list of choices: the code of the home country stays chosen',
  'app/page-actions.tsx': 'contracts that are not found by typing stand in the list of markets',
  'areas/assets/address-book.tsx': 'the book on the same page says it; no withdrawal is reviewed without it',
  'areas/assets/deposit-form.tsx': 'the balance of the wallet is a dash',
  'areas/assets/movements.tsx': 'a note beside withdrawals, which have a state of their own',
  'areas/assets/withdraw-page.tsx': 'the panel around the form says it',
  'areas/awards/follow-awards.ts': 'what is shown of it comes as news; nothing waits for it',
  'areas/balances/use-coins.ts': 'amounts have their usual decimals without it',
  'areas/balances/chain-contracts.ts': 'names of addresses, and the deposit page, which shows the wallet’s own failure',
  'areas/explorer/address-page.tsx': 'a fact about an address: its place is a dash',
  'areas/explorer/block-story.tsx': 'the sentence is shorter without it',
  'areas/explorer/explorer-page.tsx': 'the ribbon of blocks above says that they could not be read',
  'areas/explorer/own-records.tsx': 'the transaction stands above it; what is booked is on the page of bills',
  'areas/faucet/claim.ts': 'steps and buttons wait; the amounts on the page of the faucet say that they could not be read',
  'areas/leaderboard/leaderboard-teaser.tsx': 'an invitation that is not shown',
  'areas/leaderboard/use-campaigns.ts': 'one’s own rank is a dash; the ranking below says that it could not be read',
  'areas/leaderboard/withheld.tsx': 'a note above the board, shown when there is something to say',
  'areas/lucky/next-winners.tsx': 'the rules on the same page say that they could not be read',
  'areas/notices/use-notices.ts': 'nobody waits for a notice; they are read again each minute',
  'areas/onboarding/all-done.tsx': 'the invitation to tasks goes on without their number',
  'areas/onboarding/fund-wallet-dialog.tsx': 'test tokens, the other way to fund a wallet, are offered without it',
  'areas/onboarding/practice-invitation.tsx': 'an invitation that is not shown',
  'areas/onboarding/use-steps.ts': 'a step that is not known to be done stands open',
  'areas/console/otc.tsx': 'a decision without a declaration is refused, and the refusal says what to do',
  'areas/otc/advertisement-dialog.tsx': 'the exchange says what is too much where the balance is not known; the chosen coin stays',
  'areas/otc/advertisement-receipt.tsx': 'what a floating price brings is a dash',
  'areas/otc/advertisement-table.tsx': 'an advertisement of one’s own is not marked, and refused by the exchange',
  'areas/otc/apply-dialog.tsx': 'what is in the wallet is said beside the form; the exchange says what is missing',
  'areas/otc/express.tsx': 'the chosen coin stays; an offer of one’s own is refused by the exchange',
  'areas/otc/otc-page.tsx': 'a note that is not shown; the list of orders says that it could not be read',
  'areas/otc/take-dialog.tsx': 'the advertisement as it was listed stands in; the exchange refuses a price that has moved',
  'areas/otc/use-otc.ts': 'a minute is taken for a minute',
  'areas/portfolio/overview.tsx': 'the figures are dashes; the curve says that it could not be read',
  'areas/portfolio/practice-money.tsx': 'a line beside the money, shown when there is practice money',
  'areas/portfolio/use-history.ts': 'the figures are dashes',
  'areas/summary/last-fills.tsx': 'the table of fills says that they could not be read',
  'areas/summary/next-task.tsx': 'an invitation that is not shown',
  'trade/futures/account.ts': 'the ticket shows dashes for what it does not know; the tables beside it say why',
  'trade/futures/contract-candles.tsx': 'lines and marks on candles, which are there without them',
  'trade/futures/contract-tables.tsx': 'counts beside the names of tables that say it themselves',
  'trade/futures/details/contract-details.tsx': 'the open interest is a dash',
  'trade/futures/futures-actions.ts': 'an action that is not offered',
  'trade/futures/orders/trailing-trigger.tsx': 'without the candles it follows from the present price',
  'trade/futures/practice/practice-panel.tsx': 'a list of what others did last',
  'trade/futures/practice/use-practice.ts': 'a step that is not known to be done stands open',
  'trade/futures/ticket/confirm-contract.tsx': 'the question shows dashes for what it does not know',
  'trade/futures/ticket/contract-receipt.tsx': 'the sign beside the amount opens the transfer without it',
  'trade/futures/ticket/contract-ticket.tsx': 'the ticket shows dashes for what it does not know',
  'trade/futures/positions/use-position-now.ts': 'the dialog of a position goes on with the position that it was opened with',
  'trade/shared/market/favourites.ts': 'the favourites of this device stand in',
  'trade/spot/candles.tsx': 'lines on candles, which are there without them',
  'trade/spot/tables/account-tables.tsx': 'counts beside the names of tables that say it themselves',
  'trade/spot/tables/fill-marks.ts': 'marks on candles, which are there without them',
  'trade/spot/ticket/use-ticket-context.ts': 'the ticket shows dashes for what it does not know',
  'trade/spot/trade-page.tsx': 'the stream brings the same tickers',
};

const sources: readonly SourceFile[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'clients/terminal/src'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));

test('every reading of the terminal says that it failed, or is known to be one that a page is whole without', () => {
  expect(droppedFailureViolations(sources, REASONS)).toEqual([]);
});

const hook: SourceFile = {
  path: 'clients/terminal/src/platform/data/use-data.ts',
  text: 'export function useData<Name>(question: Question<Name>): Loaded<Answer<Name>> {}',
};
const complaintsAbout = (text: string, reasons = {}): readonly string[] =>
  droppedFailureViolations([hook, { path: 'clients/terminal/src/areas/points/x.tsx', text }], reasons);

test.each([
  ["const { value } = useData({ name: 'plans', when: isOpen() });"],
  ["return useData({ name: 'plans' }).value;"],
  ["const read = useData({ name: 'plans' });\nreturn read.value;"],
  ['const { read } = useCursorQuery<Change>({ key });\nreturn read.value;'],
  ['const query = usePageQuery<Change>({ key });\nreturn query.read.value;'],
])('a reading whose failure nobody looks at is found: %s', (text) => {
  expect(complaintsAbout(text)).toEqual(['areas/points/x.tsx shows nothing where its reading failed']);
  expect(complaintsAbout(text, { 'areas/points/x.tsx': 'a note' })).toEqual([]);
});

test.each([
  ["const { value, phase } = useData({ name: 'plans' });"],
  ['const { read, more } = useCursorQuery<Change>({ key });\nreturn <Table read={read} />;'],
  ['const query = usePageQuery<Change>({ key });\nreturn <PagedTable query={query} pinned={query.read.value} />;'],
  ["const read = useData({ name: 'plans' });\nif (read.phase === 'failed') return read.value;"],
  ["const read = useData({ name: 'plans' });\nreturn <Shown read={read}>{read.value}</Shown>;"],
  ["const open = useData({ name: 'plans' });\nreturn { open: mapped(open, itemsOf) };"],
])('a reading whose state is looked at, or passed on, is none: %s', (text) => {
  expect(complaintsAbout(text)).toEqual([]);
});

test('a reason that nothing needs is found', () => {
  expect(complaintsAbout('', { 'areas/points/x.tsx': 'a note' })).toEqual([
    'areas/points/x.tsx has a reason to drop a failure, and drops none',
  ]);
});

import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { openTransfer } from '../onboarding/actions.ts';
import { useSession } from '../../platform/session/session.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { FieldIssue } from '../../kit/ui/use-form.ts';
import { mostWithdrawal } from './most-withdrawal.ts';
import { Button } from '../../kit/ui/button.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { AmountField } from '../balances/amount-field.tsx';
import { precisionOf, useCoins } from '../balances/use-coins.ts';
import { useAmountProblem } from '../balances/use-amount-problem.ts';
import { addressProblem, showAddress } from '../balances/address-problem.ts';
import { AddressBook, AddressChoice, AddressNotice, useAddressStatus } from './address-book.tsx';
import { AssetNav } from './asset-nav.tsx';
import { coinDecimals } from '../balances/coin-decimals.ts';
import { coinName } from '../balances/coin-name.ts';
import { availableIn, inWallet, isPositive, useBalances } from '../balances/use-balances.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { mapped } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { StaleNote } from '../../kit/ui/stale-note.tsx';

/** The form is there before the list of what was withdrawn. */
const Withdrawals = lazyPart(async () => (await import('./movements.tsx')).Withdrawals);

/** Own withdrawals are counted at once. */
const QUOTA_POLL_MS = 20_000;

/** Whose spot account is empty too has nothing to move. */
function NothingToWithdraw(): ReactElement {
  const text = useText();
  const { value: rows } = useBalances();
  const canMove = inWallet(rows, 'spot')?.some((row) => isPositive(row.availableBalance)) === true;
  return (
    <div className="flex flex-col items-start gap-3 p-4 text-fg2">
      <p>{text('withdraw.nothing')}</p>
      {canMove ? (
        <Button size="small" onClick={() => void openTransfer({ from: 'spot', to: 'funding' })}>
          {text('withdraw.moveFirst')}
        </Button>
      ) : (
        <LinkButton size="small" to="/faucet">
          {text('assets.getTokens')}
        </LinkButton>
      )}
    </div>
  );
}

const useQuota = () => useData({ name: 'withdrawalQuota', of: 'account', pollMs: QUOTA_POLL_MS });

/** What may still leave today, and what it costs. */
function Terms(): ReactElement {
  const text = useText();
  const format = useFormat();
  const read = useQuota();
  if (read.phase === 'failed') return <FailedState onRetry={read.retry} />;
  const { value } = read;
  return (
    <>
      <Facts>
        <Fact term={text('withdraw.quotaLeft')}>
          {value === undefined ? (
            <Skeleton />
          ) : value.left === null || value.quota === null ? (
            text('withdraw.anyAmount')
          ) : (
            text('withdraw.quotaOf', { left: format.number(value.left), quota: format.number(value.quota) })
          )}
        </Fact>
        <Fact term={text('withdraw.fee')}>{text('withdraw.noFee')}</Fact>
      </Facts>
      <StaleNote read={read} />
    </>
  );
}

/** Of what is there the quota may leave less. */
function quotaProblem(
  amount: string,
  { most, available, coin }: Readonly<Record<'most' | 'available' | 'coin', string>>,
): FieldIssue | undefined {
  const isBeyond = most !== available && amount !== '' && compareDecimals(amount, most) > 0;
  return isBeyond ? { message: 'withdraw.aboveQuota', values: { most, coin: coinName(coin) } } : undefined;
}

interface Leavable {
  readonly available: string;
  readonly most: string;
  /** What is wrong with the amount that is typed. */
  readonly problem: FieldIssue | undefined;
}

function useLeavable(coin: string, amount: string): Leavable {
  const { value: rows } = useBalances();
  const problemOf = useAmountProblem();
  const decimals = precisionOf(useCoins(), coin);
  const available = availableIn(rows, { wallet: 'funding', coin });
  const worth = rows?.find((row) => row.balanceType === 'funding' && row.coin === coin)?.estimatedAvailableAmount ?? undefined;
  const { left } = useQuota().value ?? {};
  const most = mostWithdrawal({ available, worth, left, coin, decimals });
  const wrong = problemOf({ text: amount, coin, available });
  return { available, most, problem: wrong ?? quotaProblem(amount, { most, available, coin }) };
}

function WithdrawForm({ coins }: { readonly coins: readonly string[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const own = useSession((state) => state.address) ?? '';
  const { coin: wanted = '' } = useSearch({ from: '/assets/withdraw' });
  const [chosen, setCoin] = useState(wanted);
  const [amount, setAmount] = useState('');
  const [to, setTo] = useState('');
  const coin = coins.find((candidate) => candidate === chosen) ?? coins[0] ?? '';
  const { available, most, problem } = useLeavable(coin, amount);
  const wrongAddress = to === '' ? undefined : addressProblem(to);
  const isWhole = to !== '' && wrongAddress === undefined;
  const standing = useAddressStatus(to, own);
  const canReview = problem === undefined && isWhole && standing?.name === 'usable';
  const review = async (): Promise<void> => {
    const sent = await openDialog(WithdrawDialog, { intent: { coin, amount, to: showAddress(to) } });
    if (sent === true) setAmount('');
  };
  return (
    <div className="flex flex-col gap-4 p-4">
      <SelectField
        label={text('withdraw.coin')}
        value={coin}
        choices={coins.map((value) => ({ value, label: coinName(value) }))}
        onChange={(next) => {
          setCoin(next);
          setAmount('');
        }}
      />
      <AmountField
        label={text('withdraw.amount')}
        coin={coin}
        value={amount}
        onChange={setAmount}
        onMax={() => setAmount(most)}
        hint={text('withdraw.available', { amount: format.own(available, { decimals: coinDecimals(coin) }), coin: coinName(coin) })}
        problem={problem}
      />
      <AddressChoice value={to} onChange={setTo} />
      {/* The whole address is in sight, on two lines: what is cut cannot be compared. */}
      <TextArea
        label={text('withdraw.to')}
        placeholder="0x"
        rows={2}
        autoComplete="off"
        spellCheck={false}
        className="[&_textarea]:resize-none [&_textarea]:font-mono [&_textarea]:break-all"
        value={to}
        onChange={(typed) => setTo(typed.replaceAll(/\s/g, ''))}
        error={wrongAddress === undefined ? undefined : text(wrongAddress)}
        aside={
          <button
            type="button"
            onClick={() => setTo(showAddress(own))}
            className="shrink-0 rounded-sm px-1 text-sm font-semibold text-fg2 hover:text-fg"
          >
            {text('withdraw.own')}
          </button>
        }
      />
      {isWhole && <AddressNotice to={to} standing={standing} />}
      <Button kind="primary" size="large" disabled={!canReview} onClick={() => void review()}>
        {text('withdraw.review')}
      </Button>
    </div>
  );
}

export function WithdrawPage(): ReactElement {
  const text = useText();
  const read = mapped(useBalances(), (rows) =>
    rows.filter(({ balanceType, availableBalance }) => balanceType === 'funding' && isPositive(availableBalance)).map(({ coin }) => coin),
  );
  return (
    <Page title={text('withdraw.title')} lead={text('withdraw.lead')}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <div className="grid items-start gap-x-5 laptop:grid-cols-[360px_minmax(0,1fr)]">
          <div className="min-w-0">
            <Section title={text('withdraw.title')}>
              <LoadedPanel read={read} loading={<WithdrawForm coins={[]} />}>
                {(coins) => (coins.length === 0 ? <NothingToWithdraw /> : <WithdrawForm coins={coins} />)}
              </LoadedPanel>
              <Terms />
            </Section>
            <AddressBook />
          </div>
          <Section title={text('portfolio.latestWithdrawals')}>
            <Panel loading={<Skeleton className="m-4 h-24" />}>
              <Withdrawals />
            </Panel>
          </Section>
        </div>
      </SignedInOnly>
    </Page>
  );
}

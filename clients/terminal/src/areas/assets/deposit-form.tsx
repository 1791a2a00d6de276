/** Deposits from the connected wallet, saying at each moment what the wallet is being asked for. */
import { parseAtoms, printDecimal } from '@orrery/units';
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { Hex } from 'viem';
import { refresh } from '../../platform/data/calls.ts';
import { useData, useReading } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { walletMessage } from '../../platform/session/sign.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { wallets } from '../../platform/wallet/open-wallets.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useNetwork } from '../../platform/wallet/use-network.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { AmountField } from '../balances/amount-field.tsx';
import { amountProblem } from '../balances/amount-problem.ts';
import { coinDecimals } from '../balances/coin-decimals.ts';
import { coinName } from '../balances/coin-name.ts';
import { isPositive } from '../balances/use-balances.ts';
import { useContracts } from '../balances/chain-contracts.ts';
import { depositLink } from './deposit-link.ts';
import { depositFromWallet, Reverted, vaultUserId, walletBalance } from '../balances/wallet-deposit.ts';
import type { DepositStep, DepositToken } from '../balances/wallet-deposit.ts';

/** Kept back of the native coin, so that the transaction itself can be paid. */
const GAS_RESERVE = '0.01';

type Progress = { readonly name: 'idle'; readonly problem?: string } | { readonly name: 'working'; readonly step: DepositStep };

function useWalletBalance(token: DepositToken | undefined, owner: Hex | undefined): string | undefined {
  const { value } = useReading({
    key: ['walletBalance', owner, token?.address],
    load: async () => (token && owner ? (await walletBalance(await wallets(), { token, owner })).toString() : '0'),
    of: 'everybody',
    when: token !== undefined && owner !== undefined,
    pollMs: 15_000,
  });
  return value === undefined || token === undefined ? undefined : printDecimal(BigInt(value), token.decimals);
}

const QrCode = lazyPart(async () => (await import('../../kit/ui/qr-code.tsx')).QrCode);

/** For a wallet on a phone. */
function PhoneLink({ link }: { readonly link: string }): ReactElement {
  const text = useText();
  return (
    <div className="flex flex-col gap-2 p-4">
      <p className="text-sm text-fg2">{text('deposit.scan')}</p>
      <Panel loading={<Skeleton className="size-64" />}>
        <QrCode value={link} label={text('deposit.qr')} />
      </Panel>
    </div>
  );
}

/** In the place of a fact that is not known: it comes, or it could not be read. */
const Missing = ({ phase }: { readonly phase: string }): ReactElement => (phase === 'failed' ? <>—</> : <Skeleton />);

interface VaultFactsProps {
  readonly vault: Hex;
  readonly owner: Hex;
  readonly coin: string;
}

function VaultFacts({ vault, owner, coin }: VaultFactsProps): ReactElement {
  const text = useText();
  const address = useData({ name: 'depositAddress', input: { query: { coin } }, of: 'account' });
  const { value: where } = address;
  const link = where === undefined ? undefined : depositLink(where, owner);
  const ofVault = useReading({
    key: ['vaultUserId', owner, vault],
    load: async () => (await vaultUserId(await wallets(), { vault, owner })).toString(),
    of: 'everybody',
  });
  const { value: userId } = ofVault;
  return (
    <div className="border-t border-line">
      <Facts>
        <Fact term={text('deposit.vault')}>
          <Hash value={vault} />
        </Fact>
        <Fact term={text('deposit.userId')}>
          {userId === undefined ? <Missing phase={ofVault.phase} /> : userId === '0' ? text('deposit.userIdNone') : userId}
        </Fact>
        <Fact term={text('deposit.memo')}>
          {where === undefined ? <Missing phase={address.phase} /> : (where.memo ?? text('deposit.memoNone'))}
        </Fact>
      </Facts>
      {link !== undefined && <PhoneLink link={link} />}
    </div>
  );
}

/** All but the gas, for the native coin. */
function spendable(balance: string, token: DepositToken): string {
  if (!token.native) return balance;
  const left = (parseAtoms(balance, token.decimals) ?? 0n) - (parseAtoms(GAS_RESERVE, token.decimals) ?? 0n);
  return left > 0n ? printDecimal(left, token.decimals) : '0';
}

function useDeposit(token: DepositToken | undefined): {
  readonly progress: Progress;
  readonly start: (amount: string) => Promise<boolean>;
} {
  const text = useText();
  const format = useFormat();
  const contracts = useContracts();
  const owner = useWallet((state) => state.wallet?.address);
  const { switchNetwork, isWrong } = useNetwork();
  const [progress, setProgress] = useState<Progress>({ name: 'idle' });

  async function start(amount: string): Promise<boolean> {
    const atoms = token && parseAtoms(amount, token.decimals);
    if (token === undefined || contracts === undefined || owner === undefined || atoms === undefined) return false;
    if (isWrong && !(await switchNetwork())) return false;
    const onStep = (step: DepositStep): void => setProgress({ name: 'working', step });
    onStep(token.native ? 'sendTransaction' : 'approveSpending');
    try {
      await depositFromWallet({ wallets: await wallets(), vault: contracts.exchange as Hex, token, owner, amount: atoms, onStep });
      showSuccess('deposit.sent', {
        detail: text('deposit.sentDetail', { confirmations: contracts.confirmations, amount: format.number(amount) }),
      });
      setProgress({ name: 'idle' });
      return true;
    } catch (error) {
      setProgress({ name: 'idle', problem: error instanceof Reverted ? text('deposit.reverted') : walletMessage(error) });
      return false;
    } finally {
      await refresh('deposits', 'walletBalance');
    }
  }
  return { progress, start };
}

function StepWords({ step }: { readonly step: DepositStep }): ReactElement {
  const text = useText();
  const connector = useWallet((state) => state.wallet?.type);
  return (
    <span role="status" className="inline-flex items-center gap-2">
      <Spinner />
      {step === 'mining' ? text('deposit.waiting') : text(walletPrompt(step, connector))}
    </span>
  );
}

export function DepositForm(): ReactElement {
  const text = useText();
  const format = useFormat();
  const contracts = useContracts();
  const owner = useWallet((state) => state.wallet?.address);
  const [coin, setCoin] = useState('USDC');
  const [amount, setAmount] = useState('');
  const token = contracts?.tokens.find((candidate) => candidate.coin === coin) ?? contracts?.tokens[0];
  const balance = useWalletBalance(token, owner);
  const { progress, start } = useDeposit(token);
  const available = balance === undefined || token === undefined ? '0' : spendable(balance, token);
  const problem = amountProblem({
    text: amount,
    decimals: token?.decimals ?? 18,
    available,
    shown: `${format.number(available)} ${coinName(token?.coin ?? '')}`,
  });
  const holdsNone = balance !== undefined && !isPositive(balance);
  const working = progress.name === 'working';
  if (contracts === undefined || token === undefined)
    return (
      <Section title={text('deposit.title')}>
        <Skeleton className="m-4 h-24 w-64" />
      </Section>
    );
  const submit = (): void => {
    void start(amount).then((done) => done && setAmount(''));
  };
  return (
    <Section title={text('deposit.title')}>
      <div className="flex flex-col gap-4 p-4">
        <SelectField
          label={text('deposit.coin')}
          value={token.coin}
          choices={contracts.tokens.map(({ coin: value }) => ({ value, label: coinName(value) }))}
          onChange={(next) => {
            setCoin(next);
            setAmount('');
          }}
        />
        <AmountField
          label={text('deposit.amount')}
          coin={token.coin}
          value={amount}
          onChange={setAmount}
          onMax={() => setAmount(isPositive(available) ? available : '')}
          hint={text(holdsNone ? 'deposit.nothing' : 'deposit.inWallet', {
            amount: format.own(balance, { decimals: coinDecimals(token.coin) }),
            coin: coinName(token.coin),
          })}
          problem={problem}
        />
        {token.native && <p className="-mt-2 text-sm text-fg3">{text('deposit.gas')}</p>}
        {progress.name === 'idle' && progress.problem !== undefined && <Notice tone="error">{progress.problem}</Notice>}
        <Button kind="primary" size="large" disabled={working || problem !== undefined} onClick={submit}>
          {working ? (
            <StepWords step={progress.step} />
          ) : problem === undefined ? (
            text('deposit.submit', { amount: format.number(amount), coin: coinName(token.coin) })
          ) : (
            text('deposit.noAmount')
          )}
        </Button>
      </div>
      {owner !== undefined && <VaultFacts vault={contracts.exchange as Hex} owner={owner} coin={token.coin} />}
    </Section>
  );
}

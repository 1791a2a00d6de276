/** What stands behind the contracts of the account, by the coin in which they are margined: live from its stream. */
import type { MarginAccount } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { coinName } from '../../areas/balances/coin-name.ts';
import { CoinAmount } from '../../areas/balances/coin-amount.tsx';
import { feeText } from '../../areas/balances/fee-text.ts';
import { SummarySection } from '../../areas/summary/summary-section.tsx';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN, useFormat } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Explained } from '../../kit/ui/tooltip.tsx';
import { useContract } from '../../market/use-contracts.ts';
import { useContractAccount } from '../../platform/data/streams/use-account.ts';
import { ratePercent } from '../../kit/format/rate.ts';

const isNothing = (amount: string | null): boolean => amount === null || compareDecimals(amount, '0') === 0;

/** Whether there is anything to say of it. */
const isInUse = ({ walletBalance, equity, unrealizedProfit, isolatedMargin }: MarginAccount): boolean =>
  [walletBalance, equity, unrealizedProfit, isolatedMargin].some((amount) => !isNothing(amount));

/** From here on half of the way to the liquidation is gone. */
const NEAR = '0.5';

function Line({ name, hint, children }: { readonly name: string; readonly hint?: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-fg2">{hint === undefined ? name : <Explained content={hint}>{name}</Explained>}</dt>
      <dd className="text-end">{children}</dd>
    </div>
  );
}

function Profit({ coin, value }: { readonly coin: string; readonly value: string | null }): ReactElement {
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const order = value === null ? 0 : compareDecimals(value, '0');
  return (
    <span className={order === 0 ? undefined : order > 0 ? 'text-up' : 'text-down'}>
      {isHidden ? HIDDEN : feeText(value ?? undefined, coin, { ...format, sign: 'always' })}
    </span>
  );
}

function Account({ account }: { readonly account: MarginAccount }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { settleCoin: coin, equity, unrealizedProfit, maintenanceMargin, isolatedMargin, availableBalance, marginRatio } = account;
  const amount = (value: string | null): ReactNode =>
    value === null ? format.number(undefined) : <CoinAmount coin={coin} value={value} />;
  const isNear = marginRatio !== null && compareDecimals(marginRatio, NEAR) >= 0;
  return (
    <SummarySection title={text('futures.account.title')} aside={<span className="text-sm text-fg3">{coinName(coin)}</span>}>
      <dl className="flex flex-col gap-1 text-sm">
        <Line name={text('futures.account.equity')} hint={text('futures.account.equityExplained')}>
          {amount(equity)}
        </Line>
        <Line name={text('futures.account.profit')}>
          <Profit coin={coin} value={unrealizedProfit} />
        </Line>
        {!isNothing(isolatedMargin) && <Line name={text('futures.account.isolated')}>{amount(isolatedMargin)}</Line>}
        <Line name={text('futures.account.available')}>{amount(availableBalance)}</Line>
        <Line name={text('futures.account.maintenance')}>{amount(maintenanceMargin)}</Line>
        <Line name={text('futures.account.ratio')} hint={text('futures.account.ratioExplained')}>
          <span className={classes(isNear && 'text-warn')}>
            {marginRatio === null
              ? format.number(undefined)
              : `${format.number(ratePercent(marginRatio), { decimals: 2, rounding: 'nearest' })}%`}
          </span>
        </Line>
      </dl>
    </SummarySection>
  );
}

/** Those in which something is; that of the contract in view comes first. */
export function MarginAccounts(): ReactElement {
  const { info } = useContract();
  const isInView = ({ underlyingType, settleCoin }: MarginAccount): boolean =>
    underlyingType === info.underlyingType && settleCoin === info.settleCoin;
  const shown = (accounts: readonly MarginAccount[]): readonly MarginAccount[] =>
    accounts.filter(isInUse).toSorted((left, right) => Number(isInView(right)) - Number(isInView(left)));
  return (
    <LoadedPanel read={useContractAccount('accounts')}>
      {(accounts) => (
        <div className="flex flex-col divide-y divide-line">
          {shown(accounts).map((account) => (
            <Account key={`${account.underlyingType} ${account.settleCoin}`} account={account} />
          ))}
        </div>
      )}
    </LoadedPanel>
  );
}

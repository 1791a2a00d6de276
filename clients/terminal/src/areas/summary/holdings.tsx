/** What the account holds of the market's two coins, live. */
import type { ReactElement } from 'react';
import { CoinAmount } from '../balances/coin-amount.tsx';
import type { TradedMarket } from '../../market/market.ts';
import { useAccount, useSpotBalance } from '../../platform/data/streams/use-account.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { CoinMark } from '../../kit/ui/coin-mark.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { SummarySection } from './summary-section.tsx';

function Holding({ coin, name }: { readonly coin: string; readonly name: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { value: account, phase } = useAccount();
  const balance = useSpotBalance(coin);
  const held = balance?.freeze ?? '0';
  return (
    <li className="flex items-center gap-2 py-1">
      <CoinMark name={name} className="size-5" />
      <span className="font-medium">{name}</span>
      <span className="ms-auto text-end">
        {account !== undefined && <CoinAmount coin={coin} value={balance?.balance ?? '0'} />}
        {account === undefined && (phase === 'failed' ? '—' : <Skeleton className="w-16" />)}
        <span className="block text-sm text-fg3">
          {compareDecimals(held, '0') > 0 ? (
            <>
              {text('summary.held')} <CoinAmount coin={coin} value={held} />
            </>
          ) : (
            balance?.estimatedTotalAmount != null && format.ownFiat(balance.estimatedTotalAmount)
          )}
        </span>
      </span>
    </li>
  );
}

export function Holdings({ market }: { readonly market: TradedMarket }): ReactElement {
  const text = useText();
  return (
    <SummarySection title={text('summary.holdings')}>
      <ul className="text-sm">
        <Holding coin={market.base} name={market.baseName} />
        <Holding coin={market.quote} name={market.quoteName} />
      </ul>
    </SummarySection>
  );
}

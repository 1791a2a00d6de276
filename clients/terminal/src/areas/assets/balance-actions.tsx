/** What can be done with a balance, in its row: beside each other where there is room, in a menu where there is none. */
import type { Balance } from '@orrery/api';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { coinName } from '../balances/coin-name.ts';
import { wallets } from '../balances/wallets.ts';
import { useMarketTerms } from '../../market/markets.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { openTransfer } from '../onboarding/actions.ts';
import { Button } from '../../kit/ui/button.tsx';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../kit/ui/menu.tsx';

export function BalanceActions({ row }: { readonly row: Balance }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const { coin, balanceType } = row;
  const market = useMarketTerms().value?.find(({ base }) => base === coin);
  const name = coinName(coin);
  const labelOf = (action: string): string => text('assets.actionOf', { action, coin: name });
  const transfer = (): void => void openTransfer({ from: balanceType, to: wallets[balanceType].onward, coin });
  const canTrade = balanceType === 'spot' && market !== undefined;
  const quiet = buttonClasses({ kind: 'quiet', size: 'small' });
  return (
    <span className="flex items-center justify-end">
      <span className="flex max-tablet:hidden">
        {canTrade && (
          <Link to="/trade/spot/$pair" params={{ pair: market.symbol }} className={quiet} aria-label={labelOf(text('assets.trade'))}>
            {text('assets.trade')}
          </Link>
        )}
        <Button kind="quiet" size="small" aria-label={labelOf(text('assets.transfer'))} onClick={transfer}>
          {text('assets.transfer')}
        </Button>
        {balanceType === 'funding' && (
          <Link to="/assets/withdraw" search={{ coin }} className={quiet} aria-label={labelOf(text('assets.withdraw'))}>
            {text('assets.withdraw')}
          </Link>
        )}
      </span>
      <span className="tablet:hidden">
        <Menu
          trigger={
            <IconButton label={text('assets.more', { coin: name })} className="-me-2">
              <Ellipsis size={16} />
            </IconButton>
          }
        >
          {canTrade && (
            <MenuItem onSelect={() => void navigate({ to: '/trade/spot/$pair', params: { pair: market.symbol } })}>
              {text('assets.trade')}
            </MenuItem>
          )}
          <MenuItem onSelect={transfer}>{text('assets.transfer')}</MenuItem>
          {balanceType === 'funding' && (
            <MenuItem onSelect={() => void navigate({ to: '/assets/withdraw', search: { coin } })}>{text('assets.withdraw')}</MenuItem>
          )}
        </Menu>
      </span>
    </span>
  );
}

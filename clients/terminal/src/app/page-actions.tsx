/** Pages, markets and themes as actions. Loaded with the first key or click: nobody needs them before. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerActions } from '../actions/action.ts';
import type { Action } from '../actions/action.ts';
import { shownPair } from '../feed/market.ts';
import { useMarkets } from '../feed/markets.ts';
import { say } from '../i18n/text.tsx';
import { openNotifications } from '../notifications/bell.tsx';
import { themes, useSettings } from '../settings/settings.ts';
import { destinations } from './destinations.ts';
import { openSettings } from './open-settings.ts';

const settingActions: readonly Action[] = [
  { id: 'settings', group: 'settings', text: 'actions.settings', run: openSettings },
  { id: 'notifications', group: 'general', text: 'actions.notifications', run: openNotifications },
  ...themes.map((theme): Action => ({
    id: `theme.${theme}`,
    group: 'settings',
    text: `actions.theme.${theme}`,
    run: () => useSettings.getState().set('theme', theme),
  })),
];

export function PageActions(): null {
  const navigate = useNavigate();
  const { value: markets } = useMarkets();
  useEffect(() => {
    const pages = destinations.map(({ to, label }): Action => ({
      id: `page.${to}`,
      group: 'pages',
      text: 'actions.page',
      values: { page: say(label) },
      run: () => void navigate({ to }),
    }));
    return registerActions([...settingActions, ...pages]);
  }, [navigate]);
  useEffect(() => {
    const toMarkets = (markets ?? []).map(({ symbol, base }): Action => ({
      id: `market.${symbol}`,
      group: 'markets',
      text: 'actions.market',
      values: { pair: shownPair(symbol) },
      keywords: [symbol, base],
      run: () => void navigate({ to: '/trade/spot/$pair', params: { pair: symbol } }),
    }));
    return registerActions(toMarkets);
  }, [navigate, markets]);
  return null;
}

/** Pages, markets and themes as actions. Loaded with the first key or click: nobody needs them before. */
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerActions } from '../platform/actions/action.ts';
import type { Action } from '../platform/actions/action.ts';
import { useData } from '../platform/data/use-data.ts';
import { useMarketTerms } from '../market/markets.ts';
import { openNotifications } from '../areas/notifications/bell.tsx';
import { themes, useSettings } from '../kit/settings/settings.ts';
import { destinationsOf } from './destinations.ts';
import { contractActions, marketActions, pageActions } from './found-actions.ts';
import type { OpenMarket } from './found-actions.ts';
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
  const router = useRouter();
  const { value: markets } = useMarketTerms();
  const { value: contracts } = useData({ name: 'futuresSymbols', of: 'everybody', staleMs: 60_000 });
  useEffect(() => {
    return registerActions([...settingActions, ...pageActions(destinationsOf(router), (to) => void navigate({ to }))]);
  }, [navigate, router]);
  useEffect(() => {
    const open: OpenMarket = (to, pair) => void navigate({ to, params: { pair } });
    return registerActions([...marketActions(markets ?? [], open), ...contractActions(contracts ?? [], open)]);
  }, [navigate, markets, contracts]);
  return null;
}

import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { labelOf } from '../platform/actions/action.ts';
import { contractActions, marketActions, pageActions } from './found-actions.ts';

const PAGES = [{ to: '/trade/spot', label: 'nav.spot' }] as const;
const opened: string[] = [];
const open = (to: string, pair = ''): void => void opened.push(to.replace('$pair', pair));

test('a contract and a market of spot that are called the same are both found, each by its own name, and open their own page', () => {
  const [contract] = contractActions([{ symbol: 'BTC_USDC' }], open);
  const [market] = marketActions([{ symbol: 'BTC_USDC', base: 'BTC' }], open);
  expect(contract?.id).not.toBe(market?.id);
  contract?.run();
  market?.run();
  expect(opened).toEqual(['/trade/futures/BTC_USDC', '/trade/spot/BTC_USDC']);
});

test('a page is called what it is called in the language that is chosen when it is looked for', () => {
  i18n.load({ en: { 'nav.spot': 'Spot' }, de: { 'nav.spot': 'Kassa' } });
  i18n.activate('en');
  const spot = pageActions(PAGES, open).find(({ id }) => id === 'page./trade/spot');
  const named = (): string | undefined => spot && labelOf(spot, (_id, values) => String(values?.['page']));
  expect(named()).toBe('Spot');
  i18n.activate('de');
  expect(named()).toBe('Kassa');
});

test('pages beside the main navigation are found too, each once', () => {
  const ids = pageActions(PAGES, open).map(({ id }) => id);
  expect(ids).toContain('page./assets/deposit');
  expect(new Set(ids).size).toBe(ids.length);
});

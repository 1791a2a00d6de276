import { expect, test } from 'vitest';
import { actionOf, registerActions, registeredActions, runAction } from './action.ts';
import type { Action } from './action.ts';

const action = (id: string, ran: string[], isEnabled?: () => boolean): Action => ({
  id,
  group: 'general',
  text: 'ui.done',
  run: () => void ran.push(id),
  ...(isEnabled && { isEnabled }),
});

test('a page registers its actions and takes them out again, and nobody else’s', () => {
  const ran: string[] = [];
  const leave = registerActions([action('a', ran), action('b', ran)]);
  const stay = registerActions([action('c', ran)]);
  expect(registeredActions().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  leave();
  expect(registeredActions().map(({ id }) => id)).toEqual(['c']);
  stay();
});

test('the page that comes registers before the one that goes has taken its own out', () => {
  const [before, after] = [[], []] as [string[], string[]];
  const leave = registerActions([action('market.next', before)]);
  const leaveNew = registerActions([action('market.next', after)]);
  leave();
  runAction(actionOf('market.next'));
  expect([before, after]).toEqual([[], ['market.next']]);
  leaveNew();
});

test('what is not possible now does not run', () => {
  const ran: string[] = [];
  expect(runAction(action('a', ran, () => false))).toBe(false);
  expect(runAction(undefined)).toBe(false);
  expect(runAction(action('b', ran, () => true))).toBe(true);
  expect(ran).toEqual(['b']);
});

// @vitest-environment happy-dom
/** The amount that is typed a moment before the page is left. */
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { exchange, show } from '../../testing/stage.tsx';
import { Express } from './express.tsx';
import { useFilters } from './use-filters.ts';

function Desk(): ReactElement {
  const [filters, change] = useFilters();
  return <Express filters={filters} change={change} />;
}

/** At the page of the desk; the code of an order's page comes when it is let. */
async function open() {
  exchange.answer('otcInfo', () => ({ coins: ['USDC'] }) as never);
  exchange.answer('otcAdvertisements', () => ({ list: [], total: 0 }));
  const { promise, resolve } = Promise.withResolvers<{ readonly Order: () => ReactElement }>();
  const root = createRootRoute();
  const at = { getParentRoute: () => root } as const;
  const routes = [
    createRoute({ ...at, path: '/otc', component: Desk }),
    createRoute({ ...at, path: '/otc/order/$order', component: lazyRouteComponent(() => promise, 'Order') }),
  ];
  const history = createMemoryHistory({ initialEntries: ['/otc'] });
  await show(<RouterProvider router={createRouter({ routeTree: root.addChildren(routes), history }) as never} />);
  return {
    amount: await screen.findByRole('textbox', { name: 'I want to spend' }),
    address: () => history.location.href,
    go: (href: string) => act(async () => history.push(href)),
    load: () => act(async () => resolve({ Order: () => <p>the order</p> })),
  };
}

/** Longer than an amount rests before it is in the address. */
const rest = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve, 600)));

test('[A11] an amount that is typed is in the address of the page', async () => {
  const { amount, address } = await open();
  await userEvent.type(amount, '500');
  await expect.poll(address).toBe('/otc?amount=%22500%22');
});

test('[A11] it is not in the address of the page that comes next, whose code still loads', async () => {
  const { amount, address, go, load } = await open();
  await userEvent.type(amount, '500');
  await go('/otc/order/12');
  await rest();
  expect(amount.isConnected).toBe(true);
  expect(address()).toBe('/otc/order/12');
  await load();
  await screen.findByText('the order');
  expect(address()).toBe('/otc/order/12');
});

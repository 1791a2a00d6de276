/**
 * A page in a test: the real session, readings, dialogs and toasts around what is shown, and a fake exchange behind `fetch`. A file that uses it
 * begins with `// @vitest-environment happy-dom`.
 */
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { activateLanguage, addTexts } from '../kit/i18n/catalog.ts';
import { en } from '../kit/i18n/messages/en/index.ts';
import type { Account } from '../kit/storage/account-in-view.ts';
import { accountInView, accountOf } from '../kit/storage/account-in-view.ts';
import { FakeExchange, tokenOf } from './fake-exchange.ts';

const HOUR_MS = 3_600_000;

// What a build writes into the code, and what the page has before its first import.
vi.stubGlobal('__ORRERY_HOSTS__', { api: {} });
vi.stubGlobal('__ORRERY_ENVIRONMENT__', 'test');
vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => exchange.fetch(...call));

export let exchange: FakeExchange;

const { accessTokens } = await import('../platform/client/client.ts');
const { queryClient } = await import('../platform/client/query-client.ts');
const { beginByName, signOut } = await import('../platform/session/session.ts');
const { DialogHost } = await import('../kit/ui/dialogs.tsx');
const { useToasts } = await import('../kit/ui/toast.ts');
const { Toaster } = await import('../kit/ui/toaster.tsx');
const { keepFocus } = await import('../kit/ui/keep-focus.ts');
const { TooltipProvider } = await import('../kit/ui/tooltip.tsx');

addTexts('en', en);
activateLanguage('en');
// A busy machine takes its time: what is waited for comes within this, or not at all.
// No style sheet is here by which anything could be hidden, and to look for one at each element costs most of a query.
configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
// What failed is tried again at once.
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });

export interface Person {
  readonly address: string;
  readonly account: Account;
}

let lastAccount = 100;

/** Somebody who was not here before: what is kept by account is empty for them. */
export function newPerson(): Person {
  lastAccount += 1;
  return { address: `0x${String(lastAccount).padStart(40, '0')}`, account: accountOf(String(lastAccount)) };
}

const people = new Map<string, Person>();

/** The account comes into view with its session open, in the place of the one before. */
export async function comeIntoView(person: Person): Promise<void> {
  people.set(person.account, person);
  accessTokens.hold(person.address, { token: tokenOf(person.account), expiresAt: Date.now() + HOUR_MS });
  act(() => beginByName({ address: person.address, endsAt: Date.now() + HOUR_MS }));
  await waitFor(() => {
    if (accountInView() !== person.account) throw new Error('the account is not in view yet');
  });
}

/** Shows a part of a page with what every page has around it: dialogs and toasts. Resolves when it is there. */
export async function show(part: ReactElement): Promise<{ readonly unmount: () => void }> {
  const rootRoute = createRootRoute({
    component: () => (
      <main>
        {part}
        <DialogHost />
        <Toaster />
      </main>
    ),
  });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory({ initialEntries: ['/'] }) });
  const { unmount } = render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <RouterProvider router={router as never} />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );
  await screen.findByRole('main');
  return { unmount };
}

let letFocusGo: () => void;

beforeEach(() => {
  letFocusGo = keepFocus();
  exchange = new FakeExchange();
  exchange.answer('time', () => Date.now());
  exchange.answer('checkWhitelist', () => ({ inWhitelist: true }));
  exchange.answer('accountInfo', ({ by = '' }) => {
    const { address } = people.get(by) ?? { address: '' };
    return { accountId: by, address, termsAccepted: true, connected: true, sessionEndsAt: Date.now() + HOUR_MS } as never;
  });
});

afterEach(async () => {
  letFocusGo();
  cleanup();
  if (accountInView() !== undefined) await signOut();
  queryClient.clear();
  useToasts.setState({ current: undefined });
});

/** Starts the terminal. */
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Direction } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { checkAnswersBy } from './platform/client/answer-check.ts';
import { eventLog, logErrors } from './platform/client/event-log.ts';
import { reach } from './platform/client/exchange-reach.ts';
import { queryClient } from './platform/client/query-client.ts';
import { startSession } from './platform/session/session.ts';
import { applySettings, followSettings } from './kit/settings/settings.ts';
import { isServedByWorker } from './platform/offline/app-wish.ts';
import { rememberDevice } from './kit/storage/device.ts';
import { keepFocus } from './kit/ui/keep-focus.ts';
import { gateCode } from './kit/ui/load-code.ts';
import { TooltipProvider } from './kit/ui/tooltip.tsx';
import './kit/ui/index.css';

applySettings(document.documentElement);
followSettings();
gateCode({
  // The worker has the code, or waits for it.
  whenOpen: () => (isServedByWorker() ? Promise.resolve() : reach.whenAnswered()),
  isAnswering: async () => (await reach.check()) === 'answered',
});
// The device knows of its own connection before a call has failed.
for (const news of ['online', 'offline']) addEventListener(news, () => void reach.check());
logErrors(window);
if (import.meta.env.DEV) void import('./platform/client/schema-check.ts').then(({ checkSchema }) => checkAnswersBy(checkSchema));
rememberDevice(navigator.userAgent);
startSession();
keepFocus();

const container = document.querySelector('#root');
if (container === null) throw new Error('index.html has no #root');

const root = createRoot(container, {
  onCaughtError(error) {
    // oxlint-disable-next-line no-console -- as React says it where nobody listens: with the place in the code
    console.error(error);
    eventLog.add('part', String(error));
  },
});

const render = (): void =>
  root.render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <Direction.Provider dir={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
            <TooltipProvider>
              <RouterProvider router={router} />
            </TooltipProvider>
          </Direction.Provider>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );

declare const __ORRERY_ENVIRONMENT__: string;
const texts = __ORRERY_ENVIRONMENT__ === 'prod' ? null : new URLSearchParams(location.search).get('texts');
if (texts === null) render();
else
  void import('./kit/i18n/test-texts.ts').then(({ showTestTexts }) => {
    showTestTexts(texts);
    render();
  });

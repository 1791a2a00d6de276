/** Starts the terminal. */
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { queryClient } from './client/query-client.ts';
import { startSession } from './session/session.ts';
import { applySettings } from './settings/settings.ts';
import { rememberDevice } from './storage/device.ts';
import { TooltipProvider } from './ui/tooltip.tsx';
import './ui/index.css';

applySettings(document.documentElement);
rememberDevice(navigator.userAgent);
startSession();

const container = document.querySelector('#root');
if (container === null) throw new Error('index.html has no #root');

createRoot(container).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <RouterProvider router={router} />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);

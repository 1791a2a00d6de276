/**
 * Whether this device keeps the terminal by a service worker. It does for those who install it, open the page of the app or switch notifications on; a visitor who only
 * looks at a market loads nothing for it. Once there, the worker serves every page, so every page follows it.
 */
import { create } from 'zustand';

/** Chromium's `BeforeInstallPromptEvent`, which the DOM types do not have. */
export interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** Only where the page is built and the browser can: a page under development changes under its worker. */
export const canKeepApp = import.meta.env.PROD && 'serviceWorker' in navigator;

/** A page without a worker gets its code from the exchange alone. */
export const isServedByWorker = (): boolean => canKeepApp && navigator.serviceWorker.controller !== null;

export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

export const useAppWish = create<{ readonly isWished: boolean; readonly offer?: InstallOffer | undefined }>()(() => ({
  isWished: isServedByWorker() || isInstalled(),
}));

export const wishForApp = (): void => useAppWish.setState({ isWished: true });

// The browser offers it once, soon after the page; the page of the app asks in its own words, when a person wants it.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  useAppWish.setState({ offer: event as InstallOffer });
});
addEventListener('appinstalled', wishForApp);

/** An operator at a browser whose device has a fingerprint reader that always knows them. */
import type { Browser, Locator, Page } from 'playwright-core';
import { installAxe } from './accessibility.ts';
import { visit, type VisitOptions } from './browser.ts';
import { toast } from './newcomer.ts';
import { giveDevice } from './virtual-device.ts';

export interface Desk {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** @param url of the host by its name: passkeys are for names. */
export async function openDesk(browser: Browser, options: Pick<VisitOptions, 'url' | 'viewport'>): Promise<Desk> {
  const { context, page, complaints } = await visit(browser, { ...options, prepare: installAxe });
  await giveDevice(context, page);
  await page.goto('/console');
  return { page, complaints };
}

export async function register({ page }: Desk, { code, name }: { code: string; name: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
}

export const signedInAs = ({ page }: Desk, who: string): Promise<void> => page.getByText(who, { exact: true }).waitFor();
export const openArea = ({ page }: Desk, area: string): Promise<void> => page.getByRole('link', { name: area, exact: true }).click();
export const table = ({ page }: Desk, name: string): Locator => page.getByRole('table', { name });
export const says = ({ page }: Desk, words: string): Promise<void> => toast(page).getByText(words).first().waitFor();

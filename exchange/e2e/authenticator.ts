/** An authenticator app in a person's hand: it is bound on the page of security, and then shows codes, each of which is used once. */
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { until } from './until.ts';

const STEP_MS = 30_000;

const stepNow = (): number => Math.floor(Date.now() / STEP_MS);

export class Authenticator {
  readonly #secret: string;
  /** Of the code that was used last. */
  #step: number;

  constructor(secret: string) {
    this.#secret = secret;
    this.#step = 0;
  }

  /** The code of the present step, once the last one used is over: no code is taken twice. */
  async code(): Promise<string> {
    await until('a new code is shown', () => Promise.resolve(stepNow() > this.#step), { withinMs: 2 * STEP_MS });
    this.#step = stepNow();
    return this.#codeOf(this.#step);
  }

  /** One that is not right now, nor a step before or after. */
  async wrongCode(): Promise<string> {
    const right = new Set(await Promise.all([-1, 0, 1, 2].map((later) => this.#codeOf(stepNow() + later))));
    return ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.has(code)) ?? '';
  }

  #codeOf(step: number): Promise<string> {
    return generate({ secret: this.#secret, epoch: (step * STEP_MS) / 1_000 });
  }
}

/** On the page of security. `sign` is what the person does where the wallet asks. @returns the app and the backup codes. */
export async function bindApp(
  page: Page,
  sign: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ app: Authenticator; codes: string[] }> {
  await page.getByRole('main').getByRole('button', { name: 'Set up', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Bind an authenticator app' });
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const app = new Authenticator(((await dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).textContent()) ?? '').replaceAll(' ', ''));
  await dialog.getByLabel('Code of the app').fill(await app.code());
  await dialog.getByRole('button', { name: 'Sign and bind' }).click();
  await sign();
  const added = page.getByRole('dialog', { name: 'Authenticator app added' });
  await added
    .getByText("Authenticator app verification added. From now on, you'll use your authenticator app whenever you process a transaction.", {
      exact: true,
    })
    .waitFor();
  const codes = await added.getByRole('listitem').allTextContents();
  await added.getByRole('button', { name: 'Done' }).click();
  return { app, codes };
}

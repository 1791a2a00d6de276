/** A person without a pointer: presses keys, counts them, and finds the way by where the focus is. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from './until.ts';

/** More presses than this to reach the next control is lost on the way. */
const FAR = 40;

export class Keys {
  /** Presses so far; a text that is typed counts as one. */
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  /** Into the field that has the focus, in place of what it holds. */
  async type(text: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.type(text);
  }

  /** Presses the key until the control has the focus. */
  async reach(control: Locator, key = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let presses = 0; presses <= FAR; presses += 1) {
      if (await hasFocus(control)) return;
      await this.press(key);
    }
    expect.fail(`${FAR} times ${key} did not lead to ${String(control)}; the focus is on ${await this.whereIsFocus()}`);
  }

  /** Resolves when the focus is within, such as after a dialog that gives it back when it has gone: a key before that would lead elsewhere. */
  async land(within: Locator): Promise<void> {
    await until(`the focus is in ${String(within)}`, () => within.evaluate((element) => element.contains(document.activeElement)));
  }

  /** Closes a dialog as keys do: Escape leads to its close icon, or closes a form in which nothing was entered. */
  async leave(dialog: Locator): Promise<void> {
    const icon = dialog.getByRole('button', { name: 'Close', exact: true });
    await icon.waitFor();
    await this.press('Escape');
    if (!(await dialog.isVisible())) return;
    await this.land(icon);
    await this.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  }

  whereIsFocus(): Promise<string> {
    return this.#page.evaluate(() => {
      const { activeElement } = document;
      return `${activeElement?.tagName ?? 'nothing'} ${activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.slice(0, 80) ?? ''}`;
    });
  }
}

const hasFocus = (control: Locator): Promise<boolean> => control.evaluate((element) => element === document.activeElement);

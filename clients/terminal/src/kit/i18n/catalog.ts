/** Holds the messages of the active language. Only English is active; components know message ids, never texts. */
import { i18n } from '@lingui/core';
import type { Messages } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { en } from './messages/en/index.ts';

export type MessageId = Extract<keyof typeof en, string>;

/** Every language a catalogue exists for, with its own name for itself. */
export const languages = { en: 'English' } as const;
export type Language = keyof typeof languages;

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value);
}

/** More messages of a language, beside those it has: the build adds those of an area with the code that names them. */
export function addTexts(language: Language, texts: Messages): void {
  i18n.load(language, texts);
}

export function activateLanguage(language: Language): void {
  // The build has compiled them.
  if (!import.meta.env.PROD) i18n.setMessagesCompiler(compileMessage);
  i18n.activate(language);
}

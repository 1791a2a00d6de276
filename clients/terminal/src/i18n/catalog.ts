/** Loads and activates a language's messages. Only English is active; components know message ids, never texts. */
import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { en } from './messages/en/index.ts';

export type MessageId = Extract<keyof typeof en, string>;
export type Catalog = Readonly<Record<MessageId, string>>;

/** Every language a catalogue exists for, with its own name for itself. */
export const languages = { en: 'English' } as const;
export type Language = keyof typeof languages;

const catalogs: Readonly<Record<Language, Catalog>> = { en };

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value);
}

export function activateLanguage(language: Language): void {
  // The build has compiled them.
  if (!import.meta.env.PROD) i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: language, messages: catalogs[language] });
}

/** How a component says something: `const text = useText(); text('wallet.connect')`, or `<Text id="…">` with markup inside. */
import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react';
import type { ReactElement } from 'react';
import type { MessageId } from './catalog.ts';

export type TextValues = Readonly<Record<string, string | number>>;
export type Say = (id: MessageId, values?: TextValues) => string;

export function useText(): Say {
  const lingui = useLingui();
  return (id, values) => lingui.i18n._(id, values);
}

/** For the few places outside React (toasts, errors). */
export const say: Say = (id, values) => i18n._(id, values);

interface TextProps {
  readonly id: MessageId;
  readonly values?: TextValues;
  /** What `<0>…</0>`, `<1>…</1>` in the message become. */
  readonly components?: Readonly<Record<number, ReactElement>>;
}

export function Text({ id, values, components }: TextProps): ReactElement {
  return <Trans id={id} {...(values && { values })} {...(components && { components })} />;
}

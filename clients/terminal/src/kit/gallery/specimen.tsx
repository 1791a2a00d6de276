import type { ReactElement, ReactNode } from 'react';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { Section } from '../ui/page.tsx';

/** One part of the kit, its states beside each other. */
export function Specimen({ title, children }: { readonly title: MessageId; readonly children: ReactNode }): ReactElement {
  const text = useText();
  return (
    <Section title={text(title)}>
      <div className="flex flex-col gap-5 p-4">{children}</div>
    </Section>
  );
}

export function Row({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

/** Fields beside each other where there is room. */
export function Grid({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="grid items-start gap-4 tablet:grid-cols-2 laptop:grid-cols-3">{children}</div>;
}

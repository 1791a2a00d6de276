import type { ReactElement } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Page } from '../../kit/ui/page.tsx';

type Clause = readonly [title: MessageId, text: MessageId];

function LegalPage({ title, clauses }: { readonly title: MessageId; readonly clauses: readonly Clause[] }): ReactElement {
  const text = useText();
  return (
    <Page width="reading" title={text(title)} lead={text('legal.updated')}>
      {clauses.map(([heading, body]) => (
        <section key={heading} className="mb-5">
          <h2 className="mb-1 text-lg font-semibold">{text(heading)}</h2>
          <p className="text-lg text-fg2">{text(body)}</p>
        </section>
      ))}
    </Page>
  );
}

const terms: readonly Clause[] = [
  ['legal.terms.1.title', 'legal.terms.1'],
  ['legal.terms.2.title', 'legal.terms.2'],
  ['legal.terms.3.title', 'legal.terms.3'],
  ['legal.terms.4.title', 'legal.terms.4'],
  ['legal.terms.5.title', 'legal.terms.5'],
];

const privacy: readonly Clause[] = [
  ['legal.privacy.1.title', 'legal.privacy.1'],
  ['legal.privacy.2.title', 'legal.privacy.2'],
  ['legal.privacy.3.title', 'legal.privacy.3'],
  ['legal.privacy.4.title', 'legal.privacy.4'],
];

const cookies: readonly Clause[] = [
  ['legal.cookies.1.title', 'legal.cookies.1'],
  ['legal.cookies.4.title', 'legal.cookies.4'],
  ['legal.cookies.2.title', 'legal.cookies.2'],
  ['legal.cookies.5.title', 'legal.cookies.5'],
  ['legal.cookies.3.title', 'legal.cookies.3'],
];

export const TermsPage = (): ReactElement => <LegalPage title="legal.terms.title" clauses={terms} />;
export const PrivacyPage = (): ReactElement => <LegalPage title="legal.privacy.title" clauses={privacy} />;
export const CookiesPage = (): ReactElement => <LegalPage title="legal.cookies.title" clauses={cookies} />;

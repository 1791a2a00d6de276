import { useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Text, useText } from '../kit/i18n/text.tsx';
import { Button } from '../kit/ui/button.tsx';
import { LinkButton } from '../kit/ui/link-button.tsx';
import { useDocumentTitle } from '../kit/ui/page.tsx';

export function NotFoundPage(): ReactElement {
  const text = useText();
  const router = useRouter();
  useDocumentTitle(text('notFound.title'));
  return (
    <main className="mx-auto flex w-full max-w-[1180px] grow flex-col items-start justify-center gap-3 px-4 py-16 tablet:px-6">
      <p className="font-mono text-md text-fg3">404</p>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">
        <Text id="notFound.title" />
      </h1>
      <p className="text-lg text-fg2">{text('notFound.lead')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <LinkButton kind="primary" to="/">
          {text('notFound.trade')}
        </LinkButton>
        {history.length > 1 && <Button onClick={() => router.history.back()}>{text('notFound.back')}</Button>}
      </div>
    </main>
  );
}

import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useText } from '../kit/i18n/text.tsx';
import { Button } from '../kit/ui/button.tsx';
import { MissingCode } from '../kit/ui/load-code.ts';
import { useDocumentTitle } from '../kit/ui/page.tsx';

/** What a bug in a page looks like to the person: said plainly, with a way on. */
export function ErrorPage({ error }: ErrorComponentProps): ReactElement {
  const text = useText();
  const isMissing = error instanceof MissingCode;
  const title = text(isMissing ? 'ui.newVersion' : 'error.title');
  useDocumentTitle(title);
  return (
    <main className="mx-auto flex w-full max-w-[1180px] grow flex-col items-start justify-center gap-3 px-4 py-16 tablet:px-6">
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
      <p className="text-lg text-fg2">{text('error.lead')}</p>
      {!isMissing && (
        <pre className="max-w-full overflow-x-auto rounded border border-line bg-panel p-3 font-mono text-sm text-fg3">
          {error instanceof Error ? error.message : String(error)}
        </pre>
      )}
      <Button kind="primary" onClick={() => location.reload()}>
        {text('ui.reload')}
      </Button>
    </main>
  );
}

/** Shows a bug report before it goes anywhere: to be read, changed, copied, and taken to where bugs are collected. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { newTab } from '../../platform/client/in-app.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { showError, showSuccess } from '../../kit/ui/toast.ts';

export function BugReportDialog({ report, close }: Dialogue<never> & { readonly report: string }): ReactElement {
  const text = useText();
  const bugUrl = useConfig()?.submitBugUrl ?? undefined;
  const [words, setWords] = useState(report);
  const copy = (): void =>
    void navigator.clipboard.writeText(words).then(
      () => showSuccess('bug.copied'),
      () => showError(text('bug.notCopied')),
    );
  const footer = (
    <>
      <Button size="large" className="grow" onClick={copy}>
        {text('bug.copy')}
      </Button>
      {bugUrl !== undefined && (
        <a href={bugUrl} {...newTab} className={`${buttonClasses({ kind: 'primary', size: 'large' })} grow`}>
          {text('award.submitBug')}
        </a>
      )}
    </>
  );
  return (
    <Dialog
      open
      onClose={close}
      title={text('bug.title')}
      description={text(bugUrl === undefined ? 'bug.leadNoLink' : 'bug.lead')}
      footer={footer}
    >
      <textarea
        aria-label={text('bug.report')}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        rows={16}
        spellCheck={false}
        className="w-full rounded border border-control bg-page p-2 font-mono text-sm text-fg"
      />
    </Dialog>
  );
}

import type { ReactElement } from 'react';
import { newTab } from '../client/in-app.ts';
import { useConfig } from '../client/config.ts';
import { useText } from '../i18n/text.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { LinkButton } from '../ui/link-button.tsx';

/** A reward was asked for that the exchange does not give; who thinks otherwise can say so where bugs are taken. */
export function UnavailableDialog({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  const bugUrl = useConfig()?.submitBugUrl ?? undefined;
  const footer =
    bugUrl === undefined ? (
      // Where no place for bugs is configured, the report is written on the page of the state.
      <LinkButton to="/status" kind="primary" size="large" className="grow">
        {text('award.submitBug')}
      </LinkButton>
    ) : (
      <a href={bugUrl} {...newTab} className={`${buttonClasses({ kind: 'primary', size: 'large' })} grow`}>
        {text('award.submitBug')}
      </a>
    );
  return (
    <Dialog open onClose={close} width="narrow" title={text('award.unavailableTitle')} footer={footer}>
      <p className="text-md text-fg2">{text('award.unavailable')}</p>
    </Dialog>
  );
}

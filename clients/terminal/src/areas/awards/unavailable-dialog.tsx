import type { ReactElement } from 'react';
import { newTab } from '../../platform/client/in-app.ts';
import { useConfig } from '../../platform/client/config.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';

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

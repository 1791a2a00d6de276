import { useState } from 'react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { refreshAccount, useSession } from '../../platform/session/session.ts';
import { isInApp, newTab } from '../../platform/client/in-app.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { nextExpansion } from './next-expansion.ts';

function JoinLink({ url }: { readonly url: string }): ReactElement {
  const text = useText();
  return (
    <a href={url} {...newTab} className={buttonClasses({ kind: 'primary', size: 'large' })}>
      {text('whitelist.join')}
    </a>
  );
}

export function WhitelistDialog({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const joinUrl = useConfig()?.joinWhitelistUrl ?? undefined;
  const inWhitelist = useSession((state) => state.inWhitelist);
  const format = useFormat();
  const [checking, setChecking] = useState(false);
  const [answer, setAnswer] = useState<string>();
  const check = (): void => {
    setChecking(true);
    setAnswer(undefined);
    void refreshAccount()
      .then(
        () => setAnswer(text('whitelist.notYet', { time: format.time(Date.now()) })),
        () => setAnswer(text('whitelist.checkFailed')),
      )
      .finally(() => setChecking(false));
  };
  const footer = (
    <>
      <Button size="large" busy={checking} onClick={check}>
        {text('whitelist.check')}
      </Button>
      {joinUrl !== undefined && !isInApp && <JoinLink url={joinUrl} />}
    </>
  );
  return (
    <Dialog open onClose={close} title={text('whitelist.title')} footer={footer}>
      <p className="text-md text-fg2">{text('whitelist.text')}</p>
      <p className="mt-4 text-lg font-medium" role="status">
        {inWhitelist ? text('faucet.dialog') : text('whitelist.next', { span: formatSpan(nextExpansion(now) - now) })}
      </p>
      <p className="mt-1 min-h-[18px] text-md text-fg2" role="status">
        {!inWhitelist && answer}
      </p>
    </Dialog>
  );
}

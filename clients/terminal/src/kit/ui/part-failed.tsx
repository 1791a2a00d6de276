/** What stands in place of a part that failed: that it did, and the way on. */
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import type { Failure } from './boundary.tsx';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { MissingCode } from './load-code.ts';

const reload = (): void => location.reload();

function Failed({ error, retry, className }: Failure & { readonly className: string }): ReactElement {
  const text = useText();
  const isMissing = error instanceof MissingCode;
  return (
    <div role="alert" className={classes('flex items-center text-md text-fg2', className)}>
      <p>{text(isMissing ? 'ui.newVersion' : 'ui.partFailed')}</p>
      <Button size="small" onClick={isMissing ? reload : retry}>
        {text(isMissing ? 'ui.reload' : 'ui.retry')}
      </Button>
    </div>
  );
}

export const PartFailed = (failure: Failure): ReactElement => (
  <Failed {...failure} className="flex-col gap-3 px-4 py-10 text-center text-balance" />
);

export const LineFailed = (failure: Failure): ReactElement => <Failed {...failure} className="gap-2 px-3" />;

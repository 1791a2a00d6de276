/** A bug report for everybody; trouble for those who test, where the environment is `test`. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { eventLog } from '../../platform/client/event-log.ts';
import { disturbStream, streamStatus } from '../../platform/data/streams/streams.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { bugReport } from './bug-report.ts';

const BugReportDialog = lazyDialog(async () => (await import('./bug-report-dialog.tsx')).BugReportDialog);
const DELAY_MS = 2_000;

export function ReportBug({ version }: { readonly version: string | undefined }): ReactElement {
  const text = useText();
  const environment = useConfig()?.environment ?? '';
  const open = (): void => {
    const report = bugReport({
      version,
      environment,
      path: location.pathname,
      browser: navigator.userAgent,
      window: { width: innerWidth, height: innerHeight },
      language: useSettings.getState().language,
      feed: streamStatus(),
      events: eventLog.events,
    });
    void openDialog(BugReportDialog, { report }, { of: 'everybody' });
  };
  return <Button onClick={open}>{text('bug.title')}</Button>;
}

export function ChaosPanel(): ReactElement | null {
  const text = useText();
  const environment = useConfig()?.environment;
  const [isLate, setLate] = useState(false);
  if (environment !== 'test') return null;
  const delay = (late: boolean): void => {
    setLate(late);
    disturbStream({ trouble: 'delay', millis: late ? DELAY_MS : 0 });
  };
  return (
    <Section title={text('chaos.title')}>
      <p className="px-4 pt-3 text-md text-fg2">{text('chaos.lead')}</p>
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <Button size="small" onClick={() => disturbStream({ trouble: 'drop' })}>
          {text('chaos.drop')}
        </Button>
        <Button size="small" onClick={() => disturbStream({ trouble: 'skip' })}>
          {text('chaos.skip')}
        </Button>
        <span className="flex items-center gap-2 text-md">
          <Switch label={text('chaos.delay')} value={isLate} onChange={delay} />
          <span aria-hidden="true">{text('chaos.delay')}</span>
        </span>
      </div>
    </Section>
  );
}

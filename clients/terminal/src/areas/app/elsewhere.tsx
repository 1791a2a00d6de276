/** The way to another device: a code of this page's address, where another device can open it. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { isOwnMachine } from './device-kind.ts';

const QrCode = lazyPart(async () => (await import('../../kit/ui/qr-code.tsx')).QrCode);

export function Elsewhere(): ReactElement {
  const text = useText();
  const address = `${location.origin}/app`;
  return (
    <Section title={text('getApp.other')}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
        {isOwnMachine(location.hostname) ? (
          <p className="max-w-[64ch] text-md text-fg2">{text('getApp.ownMachine')}</p>
        ) : (
          <Panel loading={<Skeleton className="size-64" />}>
            <QrCode value={address} label={text('getApp.qr')} />
          </Panel>
        )}
        <div className="min-w-0 text-md">
          {!isOwnMachine(location.hostname) && <p className="text-fg2">{text('getApp.scan')}</p>}
          <p className="font-mono break-all text-fg">{address}</p>
        </div>
      </div>
    </Section>
  );
}

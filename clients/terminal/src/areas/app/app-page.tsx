/** `/app`: what the phone version is, how it comes onto this device, and the way to another one. */
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { isInApp, newTab } from '../../platform/client/in-app.ts';
import { useConfig } from '../../platform/client/config.ts';
import { takeNewer, useAppWorker } from '../../platform/offline/app-worker.ts';
import { canKeepApp, isInstalled, useAppWish, wishForApp } from '../../platform/offline/app-wish.ts';
import type { InstallOffer } from '../../platform/offline/app-wish.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { isIos } from './device-kind.ts';
import { Elsewhere } from './elsewhere.tsx';

const IOS_STEPS = ['getApp.ios1', 'getApp.ios2', 'getApp.ios3', 'getApp.ios4'] as const;
const ANDROID_STEPS = ['getApp.android1', 'getApp.android2'] as const;

function Steps({ title, steps }: { readonly title: MessageId; readonly steps: readonly MessageId[] }): ReactElement {
  const text = useText();
  return (
    <div className="min-w-0 grow basis-64">
      <h3 className="mb-1 text-md font-semibold">{text(title)}</h3>
      <ol className="list-decimal ps-5 text-md text-fg2">
        {steps.map((step) => (
          <li key={step} className="py-0.5">
            {text(step)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** An offer is good once. */
function take(offer: InstallOffer): void {
  useAppWish.setState({ offer: undefined });
  void offer.prompt();
}

/** By the browser's own offer where it makes one, else by its menu. */
function Install(): ReactElement {
  const text = useText();
  const offer = useAppWish((wish) => wish.offer);
  const agent = { userAgent: navigator.userAgent, touchPoints: navigator.maxTouchPoints };
  return (
    <div className="flex flex-col gap-4 px-4 py-3">
      {offer !== undefined && (
        <div className="flex flex-wrap items-center gap-3">
          <Button kind="primary" size="large" onClick={() => take(offer)}>
            {text('getApp.install')}
          </Button>
          <p className="text-md text-fg2">{text('getApp.installHint')}</p>
        </div>
      )}
      {offer === undefined && !isIos(agent) && <p className="max-w-[64ch] text-md text-fg2">{text('getApp.byMenu')}</p>}
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        <Steps title="getApp.ios" steps={IOS_STEPS} />
        {!isIos(agent) && <Steps title="getApp.android" steps={ANDROID_STEPS} />}
      </div>
    </div>
  );
}

function Here(): ReactElement {
  const text = useText();
  const { phase, newer } = useAppWorker();
  const installed = isInstalled();
  const state = isInApp ? 'getApp.inApp' : installed ? 'getApp.installed' : 'getApp.notInstalled';
  return (
    <Section title={text('getApp.here')}>
      <Facts>
        <Fact term={text('getApp.state')}>{text(state)}</Fact>
        <Fact term={text('getApp.offline')}>{text(canKeepApp ? `getApp.offline.${phase}` : 'getApp.offline.unable')}</Fact>
        <Fact term={text('getApp.version')}>
          <span className="flex flex-wrap items-center gap-3">
            {text(newer === undefined ? 'getApp.version.newest' : 'getApp.version.waiting')}
            {newer !== undefined && (
              <Button size="small" onClick={() => takeNewer(newer)}>
                {text('getApp.newerTake')}
              </Button>
            )}
          </span>
        </Fact>
      </Facts>
      {!isInApp && !installed && <Install />}
    </Section>
  );
}

/** Only what the installation has in a store. */
function Stores(): ReactElement | null {
  const text = useText();
  const links = useConfig()?.appLinks;
  const shown = [
    ['getApp.appStore', links?.appStore],
    ['getApp.googlePlay', links?.googlePlay],
  ] as const;
  if (shown.every(([, link]) => link == null)) return null;
  return (
    <Section title={text('getApp.stores')}>
      <ul className="flex flex-wrap gap-4 px-4 py-3 text-md">
        {shown.map(
          ([label, link]) =>
            link != null && (
              <li key={label}>
                <a href={link} {...newTab} className="text-link underline">
                  {text(label)}
                </a>
              </li>
            ),
        )}
      </ul>
    </Section>
  );
}

const PushSettings = lazyPart(async () => (await import('../settings-dialog/push-settings.tsx')).PushSettings);

function Notifications(): ReactElement {
  const text = useText();
  return (
    <Section title={text('push.title')}>
      <div className="px-4 py-1">
        <Panel loading={<Spinner />}>
          <PushSettings />
        </Panel>
      </div>
    </Section>
  );
}

export function AppPage(): ReactElement {
  const text = useText();
  useEffect(wishForApp, []);
  return (
    <Page title={text('getApp.title')} lead={text('getApp.lead')} width="reading">
      <Here />
      <Notifications />
      {!isInApp && <Elsewhere />}
      {!isInApp && <Stores />}
    </Page>
  );
}

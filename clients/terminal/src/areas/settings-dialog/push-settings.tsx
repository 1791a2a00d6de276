/** What is sent to this device, and how much it says: it is on only where the browser, the person and the exchange agree. */
import type { PushCategory, PushChoice, PushState } from '@orrery/api';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData, useReading } from '../../platform/data/use-data.ts';
import { deviceSubscription, pushAbility, subscribeDevice, unsubscribeDevice } from '../../platform/offline/device-push.ts';
import type { DeviceSubscription } from '../../platform/offline/device-push.ts';
import { useSession } from '../../platform/session/session.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { Switch } from '../../kit/ui/switch.tsx';

const CATEGORIES = ['FILLS', 'LIQUIDATION', 'DEPOSITS', 'OTC'] as const satisfies readonly PushCategory[];

type Choice = Omit<PushChoice, 'createdTime'>;

/** Nothing private before the person says so. */
const FIRST_CHOICE: Choice = { categories: [...CATEGORIES], showAmounts: false };

interface FlagProps {
  readonly label: MessageId;
  readonly hint?: MessageId;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

function Flag({ label, hint, value, onChange }: FlagProps): ReactElement {
  const text = useText();
  const id = useId();
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-1">
      <div className="min-w-0">
        <label htmlFor={id} className="text-md">
          {text(label)}
        </label>
        {hint !== undefined && <p className="text-sm text-fg3">{text(hint)}</p>}
      </div>
      <Switch id={id} label={text(label)} value={value} onChange={onChange} />
    </div>
  );
}

const Hint = ({ id }: { readonly id: MessageId }): ReactElement => {
  const text = useText();
  return <p className="py-2 text-md text-fg2">{text(id)}</p>;
};

type Problem = 'push.refused' | 'push.failed';

interface SwitchesProps {
  readonly publicKey: string;
  readonly choice: Choice | null;
  readonly device: DeviceSubscription | null;
}

function Switches({ publicKey, choice: known, device }: SwitchesProps): ReactElement {
  const text = useText();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const choice = device === null ? null : known;
  const once = (change: () => Promise<Problem | undefined>): void => {
    if (isBusy) return;
    setBusy(true);
    void change()
      .catch((): Problem => 'push.failed')
      .then(setProblem)
      .then(() => refresh('pushState', 'pushDevice'))
      .finally(() => setBusy(false));
  };
  const choose = (next: Choice, to = device): Promise<void> =>
    to === null ? Promise.resolve() : act('setPush', { body: { ...to, ...next } }, actor()).then(() => undefined);
  const turn = (isOn: boolean): void =>
    once(async () => {
      if (!isOn) {
        await act('endPush', { body: {} }, actor());
        await unsubscribeDevice();
        return undefined;
      }
      const subscribed = await subscribeDevice(publicKey);
      if (subscribed === undefined) return 'push.refused';
      await choose(FIRST_CHOICE, subscribed);
      return undefined;
    });
  const change = (next: Choice): void => once(() => choose(next).then(() => undefined));
  return (
    <div aria-busy={isBusy}>
      <Flag label="push.on" hint="push.onHint" value={choice !== null} onChange={turn} />
      {choice !== null &&
        CATEGORIES.map((category) => (
          <Flag
            key={category}
            label={`push.${category}`}
            value={choice.categories.includes(category)}
            onChange={(isOn) => {
              const others = choice.categories.filter((each) => each !== category);
              change({ showAmounts: choice.showAmounts, categories: isOn ? [...others, category] : others });
            }}
          />
        ))}
      {choice !== null && (
        <Flag
          label="push.amounts"
          hint="push.amountsHint"
          value={choice.showAmounts}
          onChange={(showAmounts) => change({ categories: choice.categories, showAmounts })}
        />
      )}
      {problem !== undefined && <Notice tone="error">{text(problem)}</Notice>}
    </div>
  );
}

function ForAccount(): ReactElement {
  const state = useData({ name: 'pushState', of: 'account' });
  const device = useReading({ key: ['pushDevice'], of: 'account', load: deviceSubscription });
  const shown = ({ publicKey, choice }: PushState): ReactElement =>
    publicKey === null ? (
      <Hint id="push.none" />
    ) : (
      <LoadedPanel read={device} loading={<Spinner />}>
        {(subscription) => <Switches publicKey={publicKey} choice={choice} device={subscription} />}
      </LoadedPanel>
    );
  return (
    <LoadedPanel read={state} loading={<Spinner />}>
      {shown}
    </LoadedPanel>
  );
}

export function PushSettings(): ReactElement {
  const isSignedIn = useSession((session) => session.signedIn !== undefined);
  const ability = pushAbility();
  if (ability !== 'open') return <Hint id={`push.${ability}`} />;
  return isSignedIn ? <ForAccount /> : <Hint id="push.visitor" />;
}

/** Every choice a person has about the terminal, in one place; each takes effect at once. */
import type { ReactElement, ReactNode } from 'react';
import { useId } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { currencies } from '../../kit/format/fiat.ts';
import { numberFormats } from '../../kit/format/number-format.ts';
import { daysSince, localOffset, timeZones, zoneName } from '../../kit/format/time.ts';
import { languages } from '../../kit/i18n/catalog.ts';
import type { Language, MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Select } from '../../kit/ui/select.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { useNow } from '../../kit/ui/use-now.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { SOUND_FLAGS } from '../../kit/settings/heard.ts';
import { playSound } from '../../kit/sound/sounds.ts';
import { SOUNDS } from '../../kit/sound/tones.ts';
import type { Sound } from '../../kit/sound/tones.ts';
import { useCurrencyRates } from '../../kit/settings/currency-rates.ts';
import { densities, paces, directions, palettes, themes, useSettings } from '../../kit/settings/settings.ts';

interface RowProps {
  readonly label: string;
  readonly hint?: string;
  readonly htmlFor: string;
  readonly children: ReactNode;
}

function Row({ label, hint, htmlFor, children }: RowProps): ReactElement {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-1">
      <div className="min-w-0">
        <label htmlFor={htmlFor} className="text-md">
          {label}
        </label>
        {hint !== undefined && <p className="text-sm text-fg3">{hint}</p>}
      </div>
      {children}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: MessageId;
  readonly hint?: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, hint, value, choices, onChange }: ChoiceProps<Value>): ReactElement {
  const text = useText();
  const id = useId();
  return (
    <Row label={text(label)} htmlFor={id} {...(hint !== undefined && { hint })}>
      <Select id={id} label={text(label)} value={value} choices={choices} onChange={onChange} className="w-52 max-[420px]:w-40" />
    </Row>
  );
}

interface FlagProps {
  readonly label: MessageId;
  readonly hint?: MessageId;
  readonly name:
    | 'readMarket'
    | 'analytics'
    | 'hideAmounts'
    | 'hideSmallBalances'
    | 'confirmAgain'
    | 'confirmLimitOrders'
    | 'confirmMarketOrders'
    | 'confirmMovedLines';
}

function Flag({ label, hint, name }: FlagProps): ReactElement {
  const text = useText();
  const id = useId();
  const value = useSettings((settings) => settings[name]);
  const set = useSettings((settings) => settings.set);
  return (
    <Row label={text(label)} htmlFor={id} {...(hint !== undefined && { hint: text(hint) })}>
      <Switch id={id} label={text(label)} value={value} onChange={(next) => set(name, next)} />
    </Row>
  );
}

function Group({ title, children }: { readonly title: MessageId; readonly children: ReactNode }): ReactElement {
  const text = useText();
  return (
    <section className="mb-4 last:mb-0">
      <h3 className="mb-1 border-b border-line pb-1.5 text-sm text-fg3">{text(title)}</h3>
      {children}
    </section>
  );
}

function Appearance(): ReactElement {
  const text = useText();
  const settings = useSettings();
  return (
    <Group title="settings.appearance">
      <Choice
        label="settings.theme"
        value={settings.theme}
        choices={themes.map((value) => ({ value, label: text(`settings.theme.${value}`) }))}
        onChange={(value) => settings.set('theme', value)}
      />
      <Choice
        label="settings.direction"
        value={settings.direction}
        choices={directions.map((value) => ({ value, label: text(`settings.direction.${value}`) }))}
        onChange={(value) => settings.set('direction', value)}
      />
      <Choice
        label="settings.palette"
        value={settings.palette}
        choices={palettes.map((value) => ({ value, label: text(`settings.palette.${value}`) }))}
        onChange={(value) => settings.set('palette', value)}
      />
      <Choice
        label="settings.density"
        value={settings.density}
        choices={densities.map((value) => ({ value, label: text(`settings.density.${value}`) }))}
        onChange={(value) => settings.set('density', value)}
      />
      <Choice
        label="settings.pace"
        value={settings.pace}
        choices={paces.map((value) => ({ value, label: text(`settings.pace.${value}`) }))}
        onChange={(value) => settings.set('pace', value)}
      />
      <Flag label="settings.readMarket" hint="settings.readMarketHint" name="readMarket" />
      <Choice
        label="settings.language"
        value={settings.language}
        choices={Object.entries(languages).map(([value, label]) => ({ value: value as Language, label }))}
        onChange={(value) => settings.set('language', value)}
      />
    </Group>
  );
}

const MINUTE_MS = 60_000;

function Numbers(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const zone = zoneName('local', localOffset());
  const stated = useCurrencyRates(({ rates }) => rates.find(({ currency }) => currency === settings.currency));
  const now = useNow(MINUTE_MS);
  const rate = stated && {
    perUsd: stated.perUsd,
    date: stated.date,
    source: stated.source,
    days: daysSince(stated.date, now),
    currency: settings.currency.toUpperCase(),
  };
  return (
    <Group title="settings.numbers">
      <Choice
        label="settings.numberFormat"
        value={settings.numberFormat}
        choices={numberFormats.map((value) => ({ value, label: value }))}
        onChange={(value) => settings.set('numberFormat', value)}
      />
      <Choice
        label="settings.currency"
        {...(rate !== undefined && { hint: text('settings.currencyRate', rate) })}
        value={settings.currency}
        choices={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(value) => settings.set('currency', value)}
      />
      <Choice
        label="settings.timeZone"
        value={settings.timeZone}
        choices={timeZones.map((value) => ({ value, label: text(`settings.timeZone.${value}`, { zone }) }))}
        onChange={(value) => settings.set('timeZone', value)}
      />
    </Group>
  );
}

/** Each is heard when it is switched on. */
function Sounds(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const id = useId();
  const change = (sound: Sound, isOn: boolean): void => {
    settings.set(SOUND_FLAGS[sound], isOn);
    if (isOn) playSound(sound);
  };
  return (
    <Group title="settings.sounds">
      {SOUNDS.map((sound) => {
        const label = text(`settings.sound.${sound}`);
        return (
          <Row key={sound} label={label} htmlFor={`${id}-${sound}`}>
            <Switch id={`${id}-${sound}`} label={label} value={settings[SOUND_FLAGS[sound]]} onChange={(isOn) => change(sound, isOn)} />
          </Row>
        );
      })}
    </Group>
  );
}

const UsagePreview = lazyPart(async () => (await import('../../platform/analytics/usage-settings.tsx')).UsagePreview);

const PushSettings = lazyPart(async () => (await import('./push-settings.tsx')).PushSettings);

function Notifications(): ReactElement {
  return (
    <Group title="push.title">
      <Panel loading={<Spinner />}>
        <PushSettings />
      </Panel>
    </Group>
  );
}

/** Where the installation measures the use of its pages. */
function Privacy(): ReactElement | null {
  if (!useConfig()?.analytics) return null;
  return (
    <Group title="settings.privacy">
      <Flag label="settings.analytics" hint="settings.analyticsHint" name="analytics" />
      <Panel loading={<Spinner />}>
        <UsagePreview />
      </Panel>
    </Group>
  );
}

export function SettingsDialog({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  return (
    <Dialog open onClose={close} title={text('settings.title')} description={text('settings.lead')}>
      <Appearance />
      <Numbers />
      <Group title="settings.trading">
        <Flag label="settings.confirmLimit" name="confirmLimitOrders" />
        <Flag label="settings.confirmMarket" name="confirmMarketOrders" />
        <Flag label="settings.confirmMoved" name="confirmMovedLines" />
        <Flag label="settings.confirmAgain" name="confirmAgain" />
        <Flag label="settings.hideAmounts" hint="settings.hideAmountsHint" name="hideAmounts" />
        <Flag label="settings.hideSmall" hint="settings.hideSmallHint" name="hideSmallBalances" />
      </Group>
      <Sounds />
      <Notifications />
      <Privacy />
    </Dialog>
  );
}

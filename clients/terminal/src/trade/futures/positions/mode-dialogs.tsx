/** The margin mode of a contract, and whether it has one position or two. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';
import { change } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';

interface SendProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onSend: () => Promise<unknown>;
  readonly onDone: () => void;
}

/** Busy until it is answered; what was refused has been said in a toast, and the dialog stays. */
export function SendButton({ label, disabled = false, onSend, onDone }: SendProps): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await onSend();
      onDone();
    } catch {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" size="large" className="grow" disabled={disabled} busy={isBusy} onClick={() => void send()}>
      {label}
    </Button>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly name: string; readonly hint: string }[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, choices, onChange }: ChoiceProps<Value>): ReactElement {
  return (
    <RadioGroup
      label={label}
      value={value}
      choices={choices.map(({ value: each, name, hint }) => ({
        value: each,
        label: (
          <>
            <span className="block font-medium">{name}</span>
            <span className="block text-sm text-fg2">{hint}</span>
          </>
        ),
      }))}
      onChange={onChange}
      className="flex flex-col gap-2"
      itemClassName={(_value, state) =>
        classes('rounded border bg-page p-2.5 text-start', state === 'chosen' ? 'border-bone' : 'border-line hover:border-control')
      }
    />
  );
}

type AnyMode = 'CROSSED' | 'ISOLATED' | 'ONE_WAY' | 'HEDGE';

interface ModeDialogProps<Mode extends AnyMode> extends Dialogue<true> {
  readonly title: MessageId;
  /** When it may be changed. */
  readonly when: MessageId;
  readonly modes: readonly Mode[];
  /** Now. */
  readonly mode: Mode;
  readonly send: (chosen: Mode, by: By) => Promise<unknown>;
}

function ModeDialog<Mode extends AnyMode>(props: ModeDialogProps<Mode>): ReactElement {
  const { title, when, modes, mode, send, resolve, close } = props;
  const text = useText();
  const by = useActor();
  const [chosen, choose] = useState(mode);
  const choices = modes.map((value) => ({
    value,
    name: text(`futures.margin.${value}`),
    hint: text(`futures.margin.${value}Hint`),
  }));
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text(title)}
      description={text(when)}
      footer={
        <SendButton
          label={text('futures.mode.set')}
          disabled={chosen === mode}
          onSend={() => send(chosen, by)}
          onDone={() => resolve(true)}
        />
      }
    >
      <Choice label={text(title)} value={chosen} choices={choices} onChange={choose} />
    </Dialog>
  );
}

type MarginModeProps = Dialogue<true> & { readonly market: ContractMarket; readonly type: 'CROSSED' | 'ISOLATED' };

export const MarginModeDialog = ({ market: { wire: symbol }, type, ...answers }: MarginModeProps): ReactElement => (
  <ModeDialog
    {...answers}
    title="futures.marginMode.title"
    when="futures.mode.when"
    modes={['CROSSED', 'ISOLATED']}
    mode={type}
    send={(positionType, by) => change('changePositionType', { symbol, positionType }, by)}
  />
);

type PositionModeProps = Dialogue<true> & { readonly market: ContractMarket; readonly mode: 'ONE_WAY' | 'HEDGE' };

export const PositionModeDialog = ({ market: { info }, mode, ...answers }: PositionModeProps): ReactElement => (
  <ModeDialog
    {...answers}
    title="futures.positionMode.title"
    when="futures.positionMode.when"
    modes={['ONE_WAY', 'HEDGE']}
    mode={mode}
    send={(positionMode, by) => change('changePositionMode', { underlyingType: info.underlyingType, positionMode }, by)}
  />
);

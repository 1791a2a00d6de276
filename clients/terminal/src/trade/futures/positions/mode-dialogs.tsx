/** The margin mode of a contract, and whether it has one position or two. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';
import { change } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';

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

export function MarginModeDialog({
  market: { wire: symbol },
  type,
  resolve,
  close,
}: Dialogue<true> & { readonly market: ContractMarket; readonly type: 'CROSSED' | 'ISOLATED' }): ReactElement {
  const text = useText();
  const by = useActor();
  const [positionType, choose] = useState(type);
  const choices = (['CROSSED', 'ISOLATED'] as const).map((value) => ({
    value,
    name: text(`futures.margin.${value}`),
    hint: text(`futures.margin.${value}Hint`),
  }));
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.marginMode.title')}
      description={text('futures.mode.when')}
      footer={
        <SendButton
          label={text('futures.mode.set')}
          disabled={positionType === type}
          onSend={() => change('changePositionType', { symbol, positionType }, by)}
          onDone={() => resolve(true)}
        />
      }
    >
      <Choice label={text('futures.marginMode.title')} value={positionType} choices={choices} onChange={choose} />
    </Dialog>
  );
}

export function PositionModeDialog({
  market: { info },
  mode,
  resolve,
  close,
}: Dialogue<true> & { readonly market: ContractMarket; readonly mode: 'ONE_WAY' | 'HEDGE' }): ReactElement {
  const text = useText();
  const by = useActor();
  const [positionMode, choose] = useState(mode);
  const choices = (['ONE_WAY', 'HEDGE'] as const).map((value) => ({
    value,
    name: text(`futures.margin.${value}`),
    hint: text(`futures.margin.${value}Hint`),
  }));
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('futures.positionMode.title')}
      description={text('futures.positionMode.when')}
      footer={
        <SendButton
          label={text('futures.mode.set')}
          disabled={positionMode === mode}
          onSend={() => change('changePositionMode', { underlyingType: info.underlyingType, positionMode }, by)}
          onDone={() => resolve(true)}
        />
      }
    >
      <Choice label={text('futures.positionMode.title')} value={positionMode} choices={choices} onChange={choose} />
    </Dialog>
  );
}

/**
 * A form in a dialog: sent by the button of its verb or by Enter, once at a time. What went wrong stands under the fields; `send` closes it with its
 * answer. Escape closes it while nothing was entered.
 */
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { DialogProps } from './dialog.tsx';
import { Notice } from './notice.tsx';
import type { FormState } from './use-form.ts';

export interface FormDialogProps<Values> extends Pick<DialogProps, 'title' | 'description' | 'width' | 'children'> {
  readonly form: FormState<Values>;
  /** The verb on the button. */
  readonly action: string;
  /** On the button while a wallet is asked; without it, a spinner. */
  readonly waiting?: string | undefined;
  /** `danger` where it can not be taken back. */
  readonly kind?: 'primary' | 'danger';
  /** Something that is no field of the form is missing. */
  readonly disabled?: boolean;
  readonly close: () => void;
}

export function FormDialog<Values>(props: FormDialogProps<Values>): ReactElement {
  const { form, action, waiting, kind = 'primary', disabled = false, close, children, ...frame } = props;
  const text = useText();
  const id = useId();
  const state = waiting === undefined ? { busy: form.busy } : { 'aria-disabled': form.busy };
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button type="submit" form={id} kind={kind} size="large" disabled={disabled} {...state}>
        {form.busy && waiting !== undefined ? waiting : action}
      </Button>
    </>
  );
  return (
    <Dialog {...frame} open onClose={close} footer={footer} onEscape={form.isUntouched ? close : undefined}>
      <form id={id} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        {children}
        {form.fault !== undefined && <Notice tone="error">{form.fault}</Notice>}
      </form>
    </Dialog>
  );
}

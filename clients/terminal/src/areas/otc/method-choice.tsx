/** Which of the own payment methods are meant: at least one, at most as many as an advertisement may name. */
import { OTC_METHODS_PER_ADVERTISEMENT } from '@orrery/api';
import type { OtcPaymentKind, OtcPaymentMethod } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { showSuccess } from '../../kit/ui/toast.ts';

const AddMethodDialog = lazyDialog(async () => (await import('./add-method-dialog.tsx')).AddMethodDialog);

export async function addMethod(): Promise<void> {
  if ((await openDialog(AddMethodDialog, {})) !== true) return;
  showSuccess('otc.method.added');
  await refresh('otcPaymentMethods');
}

export const useOwnMethods = (): Loaded<readonly OtcPaymentMethod[]> =>
  mapped(useData({ name: 'otcPaymentMethods', of: 'account' }), ({ list }) => list);

interface MethodChoiceProps extends FormControl<readonly string[]> {
  readonly label: string;
  /** Of which it may be; all when left out. */
  readonly kinds?: readonly OtcPaymentKind[];
  /** In place of the choice where there is none. */
  readonly none: string;
}

export function MethodChoice({ label, kinds, none, value, onChange, error }: MethodChoiceProps): ReactElement {
  const text = useText();
  const read = mapped(useOwnMethods(), (methods) => methods.filter(({ kind }) => kinds === undefined || kinds.includes(kind)));
  const isFull = value.length >= OTC_METHODS_PER_ADVERTISEMENT;
  return (
    <fieldset className="flex flex-col gap-2" aria-invalid={error !== undefined}>
      <legend className="mb-1 text-sm text-fg2">{label}</legend>
      <LoadedPanel read={read} loading={<Skeleton className="h-6 w-48" />}>
        {(methods) =>
          methods.length === 0 ? (
            <Notice tone="warn">{none}</Notice>
          ) : (
            methods.map(({ paymentMethodId: id, kind, number, bank }) => (
              <Checkbox
                key={id}
                value={value.includes(id)}
                disabled={isFull && !value.includes(id)}
                onChange={(isChosen) => onChange(isChosen ? [...value, id] : value.filter((other) => other !== id))}
              >
                {[text(`otcName.kind.${kind}`), bank ?? '', number].filter((part) => part !== '').join(' · ')}
              </Checkbox>
            ))
          )
        }
      </LoadedPanel>
      {error !== undefined && (
        <p role="alert" className="text-sm text-error">
          {error}
        </p>
      )}
      <Button size="small" className="self-start" onClick={() => void addMethod()}>
        {text('otc.addMethod')}
      </Button>
    </fieldset>
  );
}

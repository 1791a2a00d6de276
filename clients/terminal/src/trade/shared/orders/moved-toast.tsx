/** Says that a line of the chart was moved, and takes it back at a press. */
import { say } from '../../../kit/i18n/text.tsx';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { showSuccess, showToast } from '../../../kit/ui/toast.ts';

export interface MovedLine {
  readonly message: MessageId;
  readonly detail?: string;
  /** Rejects when it was refused, which has been said by then. */
  readonly undo: () => Promise<unknown>;
}

export function showMoved({ message, detail, undo }: MovedLine): void {
  const takeBack = (): void =>
    void undo().then(
      () => showSuccess('orderForm.undone'),
      () => undefined,
    );
  const action = (
    <Button size="small" className="mt-2" onClick={takeBack}>
      {say('orderForm.undo')}
    </Button>
  );
  showToast({ tone: 'success', message: say(message), ...(detail !== undefined && { detail }), action });
}

import { ArrowLeftRight, Droplets } from 'lucide-react';
import { useState } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { transferEverything } from '../balances/transfer-everything.ts';
import { inWallet, isPositive, useBalances } from '../balances/use-balances.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';

export type Funding = 'transfer' | 'deposit' | 'transferred';

interface WayProps {
  readonly icon: ComponentType<{ readonly size: number }>;
  readonly title: string;
  readonly lead: string;
  readonly onChoose: () => void;
}

function Way({ icon: Icon, title, lead, onChoose }: WayProps): ReactElement {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-start gap-3 rounded border border-line bg-page p-3 text-start hover:border-control hover:bg-hover"
    >
      <span className="mt-0.5 text-fg2">
        <Icon size={18} />
      </span>
      <span className="min-w-0">
        <span className="block font-semibold">{title}</span>
        <span className="mt-0.5 block text-sm text-fg2">{lead}</span>
      </span>
    </button>
  );
}

/** Two ways to pay for orders: move what is in the funding account, or get test tokens. */
export function FundWalletDialog({ resolve, close }: Dialogue<Funding>): ReactElement {
  const text = useText();
  const { value: rows } = useBalances();
  const [moving, setMoving] = useState(false);
  const hasFunding = inWallet(rows, 'funding')?.some((row) => isPositive(row.availableBalance)) === true;
  const moveAll = async (): Promise<void> => {
    setMoving(true);
    try {
      await transferEverything(rows ?? []);
      showSuccess('transfer.everythingDone');
      resolve('transferred');
    } catch {
      setMoving(false);
    }
  };
  const footer = hasFunding ? (
    <Button kind="primary" size="large" className="grow" busy={moving} onClick={() => void moveAll()}>
      {text('transfer.everything')}
    </Button>
  ) : undefined;
  return (
    <Dialog open onClose={close} width="narrow" title={text('fund.title')} description={text('fund.lead')} footer={footer}>
      <div className="flex flex-col gap-2">
        <Way icon={ArrowLeftRight} title={text('fund.transfer')} lead={text('fund.transferLead')} onChoose={() => resolve('transfer')} />
        <Way icon={Droplets} title={text('fund.deposit')} lead={text('fund.depositLead')} onChoose={() => resolve('deposit')} />
      </div>
    </Dialog>
  );
}

/** Scale order of a contract. */
import type { ReactElement } from 'react';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { ScaleFrame } from '../../shared/dialogs/scale-frame.tsx';
import { change } from '../account.ts';
import type { ContractContext } from './contract-draft.ts';
import { contractScaleOrders, readContractScale } from './contract-scale.ts';
import { useActor } from '../../../kit/storage/account-in-view.ts';

/** Prices are checked against the mark price of the moment at which the dialog was opened; the exchange checks them again. */
export function ContractScaleDialog({ context, resolve, close }: Dialogue<true> & { readonly context: ContractContext }): ReactElement {
  const by = useActor();
  return (
    <ScaleFrame
      market={context.market}
      read={(form) => readContractScale(form, context)}
      place={({ form, rungs, ids }) => change('createFuturesOrders', { orders: contractScaleOrders(form.side, context, rungs, ids) }, by)}
      onDone={() => resolve(true)}
      onClose={close}
    />
  );
}

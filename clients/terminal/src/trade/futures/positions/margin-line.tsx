/** Margin mode, leverage and position mode of the contract, each with its dialog. */
import type { Position } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';

const LeverageDialog = lazyDialog(async () => (await import('./leverage-dialog.tsx')).LeverageDialog);
const MarginModeDialog = lazyDialog(async () => (await import('./mode-dialogs.tsx')).MarginModeDialog);
const PositionModeDialog = lazyDialog(async () => (await import('./mode-dialogs.tsx')).PositionModeDialog);

interface MarginLineProps {
  readonly market: ContractMarket;
  readonly mode: 'ONE_WAY' | 'HEDGE';
  readonly position: Position | undefined;
}

export function MarginLine({ market, mode, position }: MarginLineProps): ReactElement {
  const text = useText();
  const type = position?.positionType ?? market.info.initPositionType;
  const leverage = position?.leverage ?? market.info.initLeverage;
  const isUnknown = position === undefined;
  return (
    <div role="group" aria-label={text('futures.margin.settings')} className="grid grid-cols-3 gap-1.5">
      <Button size="small" disabled={isUnknown} onClick={() => void openDialog(MarginModeDialog, { market, type })}>
        {text(`futures.margin.${type}`)}
      </Button>
      <Button size="small" disabled={isUnknown} onClick={() => position && void openDialog(LeverageDialog, { market, position })}>
        {text('futures.margin.leverage', { leverage })}
      </Button>
      <Button size="small" disabled={isUnknown} onClick={() => void openDialog(PositionModeDialog, { market, mode })}>
        {text(`futures.margin.${mode}`)}
      </Button>
    </div>
  );
}

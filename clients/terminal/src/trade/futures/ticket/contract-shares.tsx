/** The size by slider, or at one press, as a share of the most that can be taken. */

import type { ReactElement } from 'react';
import type { Lots } from '@orrery/units';
import { useText } from '../../../kit/i18n/text.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import type { ContractContext } from './contract-draft.ts';
import type { ContractForm } from './contract-form.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { mostLots, shareOfSize, sizeOfShare } from './contract-share.ts';
import type { Room } from './contract-share.ts';

/** The buttons below it do the same, and are there at once. */
const Slider = lazyPart(async () => (await import('../../../kit/ui/slider.tsx')).Slider);

const SHARES = [10, 25, 50, 100] as const;
const SHARES_OF_POSITION = [25, 50, 75, 100] as const;

interface ContractSharesProps {
  readonly room: Room;
  readonly unit: ContractContext['unit'];
  /** Lots in the ticket now. */
  readonly size: Lots;
  readonly onSize: (taken: Pick<ContractForm, 'size' | 'most'>) => void;
}

export function ContractShares({ room, unit, size, onSize }: ContractSharesProps): ReactElement {
  const text = useText();
  const numbers = useNumbers(room.market);
  const take = (percent: number): void => {
    const size = sizeOfShare(room, unit, percent);
    onSize({ size, most: percent === 100 ? size : '' });
  };
  const isNothing = mostLots(room) === 0;
  return (
    <div className="flex flex-col gap-2">
      {room.isReducing && (
        <p className="text-sm text-fg2">
          {text('futures.close.available', { size: numbers.size(room.closes), coin: room.market.sizeName })}
        </p>
      )}
      <Panel room="line" loading={<div className="h-5" />}>
        <Slider label={text('trade.ticket.share')} value={shareOfSize(room, size)} onChange={take} disabled={isNothing} />
      </Panel>
      <div className="grid grid-cols-4 gap-1.5">
        {(room.isReducing ? SHARES_OF_POSITION : SHARES).map((percent) => (
          <Button key={percent} size="small" disabled={isNothing} onClick={() => take(percent)}>
            {percent === 100 && !room.isReducing ? text('trade.ticket.max') : `${percent}%`}
          </Button>
        ))}
      </div>
    </div>
  );
}

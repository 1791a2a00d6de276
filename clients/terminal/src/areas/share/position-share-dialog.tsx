import { useState } from 'react';
import type { ReactElement } from 'react';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useInvite } from '../invite/use-invite.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import type { Settings } from '../../kit/settings/settings.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { CardDialog } from './card-dialog.tsx';
import { drawPositionCard } from './position-card.ts';
import type { PositionCard } from './position-card.ts';
import type { SharedPosition } from './shared-position.ts';

/** The dark theme's, as the rest of the card. */
const GAIN_LOSS = { standard: ['#35c08e', '#f26d6d'], colourBlind: ['#5aa2ff', '#f5a04c'] } as const;

function colourOf(profit: string, { palette, direction }: Pick<Settings, 'palette' | 'direction'>): string {
  const [gain, loss] = GAIN_LOSS[palette === 'colourBlind' ? 'colourBlind' : 'standard'];
  const isGain = compareDecimals(profit, '0') >= 0;
  return isGain === (direction === 'greenUpRedDown') ? gain : loss;
}

interface Choices {
  readonly showsAmount: boolean;
  readonly showsCode: boolean;
}

/** `undefined` while the invitation is being asked for. */
function useCard(position: SharedPosition, { showsAmount, showsCode }: Choices): PositionCard | undefined {
  const text = useText();
  const format = useFormat();
  const palette = useSettings((settings) => settings.palette);
  const direction = useSettings((settings) => settings.direction);
  const { invite, isSettled } = useInvite();
  if (!isSettled) return undefined;
  const { profit, percent, coin } = position;
  const amount = `${format.number(profit, { sign: 'always' })} ${coin}`;
  return {
    contract: position.contract,
    terms: text('share.terms', { side: text(`share.side.${position.side}`), leverage: position.leverage }),
    percent: percent === undefined ? amount : `${format.number(percent, { decimals: 2, sign: 'always' })}%`,
    colour: colourOf(profit, { palette, direction }),
    amount: showsAmount && percent !== undefined ? amount : undefined,
    facts: [
      { label: text('share.entry'), value: format.number(position.entryPrice) },
      { label: text(`share.${position.otherIs}`), value: format.number(position.otherPrice) },
      { label: text('share.time'), value: format.time(position.at).slice(0, 16) },
    ],
    inviteCode: showsCode ? invite?.inviteCode : undefined,
    inviteCodeLabel: text('share.cardCode'),
    url: showsCode && invite !== undefined ? invite.inviteUrl : location.origin,
    scanLabel: text('share.cardScan'),
    note: text('share.positionNote'),
  };
}

/** The card of a position. Amount and invite code are there only if the person wants them. */
export function PositionShareDialog({ position, close }: Dialogue<never> & { readonly position: SharedPosition }): ReactElement {
  const text = useText();
  const [showsAmount, setShowsAmount] = useState(false);
  const [showsCode, setShowsCode] = useState(true);
  const card = useCard(position, { showsAmount, showsCode });
  const values = { contract: position.contract, percent: card?.percent ?? '' };
  return (
    <CardDialog
      title={text('share.positionTitle')}
      card={card}
      draw={drawPositionCard}
      file="orrery-position.png"
      label={text('share.positionPicture', { ...values, terms: card?.terms ?? '' })}
      words={text('share.positionWords', values)}
      onClose={close}
    >
      <div className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
        <Checkbox value={showsAmount} onChange={setShowsAmount} disabled={position.percent === undefined}>
          {text('share.showAmount')}
        </Checkbox>
        <Checkbox value={showsCode} onChange={setShowsCode}>
          {text('share.showCode')}
        </Checkbox>
      </div>
    </CardDialog>
  );
}

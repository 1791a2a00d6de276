import { COUNTERPARTIES_NEEDED, type LeaderboardCampaign } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';

/** What counts on the boards of a campaign, and when its prizes are paid. */
export function Rules({ campaign }: { readonly campaign: LeaderboardCampaign }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { volumeCapPerDay: cap, boards } = campaign;
  const rules = [
    text('board.rules.others'),
    ...(cap !== null && boards.includes('VOLUME') ? [text('board.rules.cap', { cap: format.number(cap) })] : []),
    ...(boards.includes('PNL') ? [text('board.rules.counterparties', { needed: COUNTERPARTIES_NEEDED }), text('board.rules.gifts')] : []),
    text('board.rules.payout'),
  ];
  return (
    <Section title={text('board.rules')}>
      <ul className="flex list-disc flex-col gap-1.5 py-3 pe-4 ps-8 text-sm text-fg2">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Section>
  );
}

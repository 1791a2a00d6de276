/** A new campaign as it is typed: what it is, or what is wrong with which field. */
import type { NewCampaign } from '@orrery/api';
import { say } from '../../kit/i18n/text.tsx';
import { prizesOf } from './prize-text.ts';
import { utcOf } from './utc-text.ts';

const boardChoices = { both: ['VOLUME', 'PNL'], VOLUME: ['VOLUME'], PNL: ['PNL'] } as const;
export type BoardChoice = keyof typeof boardChoices;

export const nothing = { campaignId: '', name: '', starts: '', ends: '', prizes: '' };
export type Typed = typeof nothing;
type Faults = Partial<Record<keyof Typed, string>>;

/** The campaign, or what is wrong with each field that is. */
export function campaignOf(typed: Typed, boards: BoardChoice, now: number): NewCampaign | Faults {
  const [startsAt, endsAt, prizes] = [utcOf(typed.starts), utcOf(typed.ends), prizesOf(typed.prizes)];
  const [campaignId, name] = [typed.campaignId.trim(), typed.name.trim()];
  const faults: Faults = {};
  if (!/^[0-9a-z-]{1,60}$/.test(campaignId)) faults.campaignId = say('console.wrong.shortName');
  if (startsAt === undefined) faults.starts = say('console.wrong.time');
  else if (startsAt !== null && startsAt <= now) faults.starts = say('console.wrong.past');
  if (endsAt === undefined) faults.ends = say('console.wrong.time');
  else if (typeof startsAt === 'number' && endsAt !== null && endsAt <= startsAt) faults.ends = say('console.wrong.order');
  if (!Array.isArray(prizes)) faults.prizes = say(`console.wrong.prizes.${prizes.fault}`, { part: prizes.part });
  for (const field of Object.keys(nothing) as (keyof Typed)[]) if (typed[field].trim() === '') faults[field] = say('console.wrong.missing');
  if (Object.keys(faults).length > 0 || typeof startsAt !== 'number' || typeof endsAt !== 'number' || !Array.isArray(prizes)) return faults;
  return { campaignId, name: { en: name }, startsAt, endsAt, boards: [...boardChoices[boards]], prizes };
}

/** What a person does to practice contracts. What was refused has been said in a toast by then. */
import { act, refresh } from '../../../platform/data/calls.ts';
import { formatDecimal } from '../../../kit/format/number-format.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import type { Formats } from '../../../kit/settings/use-format.ts';
import { showInfo } from '../../../kit/ui/toast.ts';
import { change } from '../account.ts';
import { ratePercent, rateStyle } from '../../../kit/format/rate.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { actor } from '../../../kit/storage/account-in-view.ts';

/** Half a cent of a coin is nothing to look at, and more would need most of a grant. */
const POSITION_VALUE = 2_000;
const LEVERAGE = 20;
const MOVE_SECONDS = 60;

const readAgain = (): Promise<void> => refresh('practiceActions');

export async function getPractice({ number, time }: Pick<Formats, 'number' | 'time'>): Promise<void> {
  const { coin, amount, isRepeated, nextTime } = await act('grantPractice', { body: {} }, actor());
  if (isRepeated) showInfo(say('practice.gotAlready', { time: time(nextTime) }));
  else showInfo(say('practice.got', { amount: number(amount), coin }));
  await readAgain();
}

/** Long, with a margin of its own, so that a small fall liquidates it and nothing else. @param mark decimal text */
export async function openPracticePosition({ wire: symbol, sizePrecision }: ContractMarket, mark: string): Promise<void> {
  const by = actor();
  // The mode that it has already is a repetition, not a refusal.
  await change('changePositionType', { symbol, positionType: 'ISOLATED' }, by);
  await change('adjustLeverage', { symbol, leverage: LEVERAGE }, by);
  const origQty = (POSITION_VALUE / Number(mark)).toFixed(sizePrecision);
  await change('createFuturesOrder', { symbol, orderSide: 'BUY', orderType: 'MARKET', origQty }, by);
  await readAgain();
}

export async function liquidateMe({ wire: symbol }: ContractMarket): Promise<void> {
  await act('liquidateMe', { body: { symbol } }, actor());
  await readAgain();
}

export async function movePrice({ wire: symbol }: ContractMarket, shift: '0.05' | '-0.05' | '0'): Promise<void> {
  await act('movePrice', { body: { symbol, change: shift, seconds: MOVE_SECONDS } }, actor());
  showInfo(say('practice.moved', { change: String(Number(shift) * 100) }));
  await readAgain();
}

export async function skipHour({ wire: symbol }: ContractMarket): Promise<void> {
  const { fundingRate } = await act('skipHour', { body: { symbol } }, actor());
  const percent = ratePercent(fundingRate);
  const format = useSettings.getState().numberFormat;
  showInfo(say('practice.skipped', { rate: formatDecimal(percent, { ...rateStyle(percent), format }) }));
  await readAgain();
}

export async function fillMyOrder(orderId: string, coin: string): Promise<void> {
  const { filledQty } = await act('fillMyOrder', { body: { orderId } }, actor());
  showInfo(say('practice.filled', { size: filledQty, coin }));
}

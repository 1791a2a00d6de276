/** Amounts of the settlement coin of a contract, and the figures of a position, as they are shown. */
import { NO_TICKS, printAtoms } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import { divideDecimals } from '../../../kit/format/decimal.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';

export interface SettleText {
  /** With its coin. */
  readonly money: (amount: Atoms | undefined) => string;
  /** With its sign, and in per cent of what was put in, where that is known. */
  readonly profit: (amount: Atoms | undefined, of?: Atoms) => string;
  /** 0: no price liquidates the position. */
  readonly liquidation: (price: Ticks | undefined) => string;
}

const PERCENT_DECIMALS = 2;
const HUNDRED = 100n;

export function useSettleText(market: ContractMarket): SettleText {
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const { settleName: coin, settleDecimals, valueDecimals: decimals } = market;
  return {
    money: (amount) =>
      amount === undefined ? format.number(undefined) : `${format.number(printAtoms(amount, settleDecimals), { decimals })} ${coin}`,
    profit(amount, of) {
      if (amount === undefined) return format.number(undefined);
      const shown = format.number(printAtoms(amount, settleDecimals), { decimals, sign: 'always' });
      if (of === undefined || of <= 0n) return text('orderForm.profitOf', { amount: shown, coin });
      const percent = divideDecimals({ dividend: String(amount * HUNDRED), divisor: String(of), decimals: PERCENT_DECIMALS });
      return text('orderForm.profitPercent', {
        amount: shown,
        coin,
        percent: format.number(percent, { decimals: PERCENT_DECIMALS, sign: 'always' }),
      });
    },
    liquidation: (price) => (price === NO_TICKS ? text('futures.liquidation.none') : numbers.price(price ?? NO_TICKS)),
  };
}

/** Whether a contract can be registered as described. Gives the name of the first field that can not be. */
import type { Asset, Contract, MarginTier } from '@orrery/protocol';
import { invalidRange, invalidRate, isMarketId, isPowerOfTen, isWhole } from './check-market.ts';

const CODE = /^[A-Z0-9]{1,16}$/;
const DECIMALS_MAX = 18;
const LEVERAGE_MAX = 200;
const MILLION = 1_000_000;
/** Sums over a whole contract stay safe integers. */
const OPEN_INTEREST_MAX = 10 ** 14;
const INTERVAL_MIN_MS = 60_000;
const INTERVAL_MAX_MS = 24 * 3_600_000;

/**
 * @param settle the contract's settle asset as it is registered
 * @param isPractice whether that is the asset of practice contracts
 */
export function invalidContractField(contract: Contract, settle: Asset, isPractice: boolean): string | undefined {
  if (!isMarketId(contract.market)) return 'market';
  if (!CODE.test(contract.baseCode)) return 'baseCode';
  if (!CODE.test(contract.quoteCode)) return 'quoteCode';
  if (contract.symbol !== `${contract.baseCode}_${contract.quoteCode}`) return 'symbol';
  if (isPractice && contract.payoff !== 'linear') return 'payoff';
  if ((settle.kind !== 'chain' && !isPractice) || settle.code !== (contract.payoff === 'linear' ? contract.quoteCode : contract.baseCode))
    return 'settle';
  return (
    invalidUnit(contract, settle) ?? invalidRange(contract) ?? invalidRate(contract) ?? invalidMargin(contract) ?? invalidFunding(contract)
  );
}

/** One lot at one tick: of a linear contract a power of ten of quote atoms; of an inverse one the settle atoms of a lot of quote divided by one tick. */
function invalidUnit(contract: Contract, settle: Asset): string | undefined {
  const { pricePrecision, sizePrecision, payoff, tickLotAtoms } = contract;
  if (!isWhole(pricePrecision, DECIMALS_MAX)) return 'pricePrecision';
  if (!isWhole(sizePrecision, DECIMALS_MAX)) return 'sizePrecision';
  const exponent =
    payoff === 'linear' ? settle.decimals - pricePrecision - sizePrecision : settle.decimals + pricePrecision - sizePrecision;
  return isPowerOfTen(tickLotAtoms, exponent) ? undefined : 'tickLotAtoms';
}

function invalidMargin({ tiers, initLeverage, openInterestCap, ...terms }: Contract): string | undefined {
  if (!areTiers(tiers)) return 'tiers';
  if (!isLeverage(initLeverage) || initLeverage > (tiers[0]?.maxLeverage ?? 0)) return 'initLeverage';
  if (openInterestCap < 1 || openInterestCap > OPEN_INTEREST_MAX) return 'openInterestCap';
  if (terms.partialLiquidationAbove < 0n) return 'partialLiquidationAbove';
  if (terms.partialLiquidationPpm < 1 || terms.partialLiquidationPpm > MILLION) return 'partialLiquidationPpm';
  return isWhole(terms.liquidationCooldownMs, INTERVAL_MAX_MS) ? undefined : 'liquidationCooldownMs';
}

const isLeverage = (leverage: number): boolean => leverage >= 1 && isWhole(leverage, LEVERAGE_MAX);

function areTiers(tiers: readonly MarginTier[]): boolean {
  return (
    tiers.length >= 1 &&
    tiers.length <= 16 &&
    tiers.every(({ maxNotional, maxLeverage }, index) => {
      const before = tiers[index - 1];
      return (
        isLeverage(maxLeverage) && maxNotional > (before?.maxNotional ?? 0n) && (before === undefined || maxLeverage < before.maxLeverage)
      );
    })
  );
}

function invalidFunding({ impactNotional, fundingIntervalMs, interestPpm8h, fundingCapPpm }: Contract): string | undefined {
  if (impactNotional <= 0n) return 'impactNotional';
  if (fundingIntervalMs < INTERVAL_MIN_MS || !isWhole(fundingIntervalMs, INTERVAL_MAX_MS)) return 'fundingIntervalMs';
  if (interestPpm8h > MILLION) return 'interestPpm8h';
  return fundingCapPpm > MILLION ? 'fundingCapPpm' : undefined;
}

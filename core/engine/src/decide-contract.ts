/** The commands of perpetual contracts. Before rules 5 there are none. */
import { unreachable, type Millis } from '@orrery/units';
import type { ContractCommand, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { afterOrder, afterTrades } from './aftermath.ts';
import type { Exchange } from './exchange.ts';
import { adjustMargin } from './futures/adjust-margin.ts';
import { setAutoMargin } from './futures/set-auto-margin.ts';
import { setFeeTier } from './futures/set-fee-tier.ts';
import { setLeverage } from './futures/set-leverage.ts';
import { setMarginMode } from './futures/set-margin-mode.ts';
import { setPositionMode } from './futures/set-position-mode.ts';
import { registerContract } from './instruments/register-contract.ts';
import { setPracticeAsset } from './instruments/set-practice-asset.ts';
import { setCollateral } from './instruments/set-collateral.ts';
import { grantPractice, stockPractice } from './money/practice.ts';
import { amendTrigger } from './orders/amend-trigger.ts';
import { closeAllPositions } from './orders/close-all-positions.ts';
import { placeContractOrder } from './orders/place-contract-order.ts';
import { setProtection } from './orders/set-protection.ts';
import { continueFunding } from './funding/continue-funding.ts';
import { forceFunding, settleFunding } from './funding/settle-funding.ts';
import { continueLiquidations } from './rounds/continue-liquidations.ts';
import { resetPrices } from './rounds/reset-prices.ts';
import { setLiquidator } from './rounds/set-liquidator.ts';
import { submitCollateralPrices } from './rounds/submit-collateral-prices.ts';
import { submitPrices } from './rounds/submit-prices.ts';
import { cancelTwap, placeTwap } from './timers/place-twap.ts';
import { runTimers } from './timers/run-timers.ts';
import { scheduleCancel } from './timers/schedule-cancel.ts';

export function decideContract(exchange: Exchange, command: ContractCommand, at: Millis): Event[] {
  if (exchange.rules < 5) return [reject('RulesTooOld')];
  switch (command.type) {
    case 'PlaceContractOrder':
      return afterOrder(exchange, at, placeContractOrder(exchange, command, at));
    case 'RegisterContract':
      return registerContract(exchange, command);
    case 'SetCollateral':
      return setCollateral(exchange, command);
    case 'SetLeverage':
      return setLeverage(exchange, command, at);
    case 'SetMarginMode':
      return setMarginMode(exchange, command);
    case 'SetPositionMode':
      return setPositionMode(exchange, command);
    case 'AdjustMargin':
      return adjustMargin(exchange, command, at);
    case 'SetAutoMargin':
      return setAutoMargin(exchange, command);
    case 'SetFeeTier':
      return setFeeTier(exchange, command);
    case 'AmendTrigger':
      return amendTrigger(exchange, command, at);
    case 'SetProtection':
      return setProtection(exchange, command, at);
    case 'CloseAllPositions':
      return afterTrades(exchange, closeAllPositions(exchange, command, at));
    case 'ScheduleCancel':
      return scheduleCancel(exchange, command, at);
    case 'RunTimers':
      return afterTrades(exchange, runTimers(exchange, at));
    case 'PlaceTwap':
      return placeTwap(exchange, command, at);
    case 'CancelTwap':
      return cancelTwap(exchange, command, at);
    case 'SetLiquidator':
      return setLiquidator(exchange, command);
    case 'SubmitPrices':
      return submitPrices(exchange, command, at);
    case 'SubmitCollateralPrices':
      return submitCollateralPrices(exchange, command, at);
    case 'ResetPrices':
      return resetPrices(exchange, at);
    case 'SettleFunding':
      return settleFunding(exchange, command, at);
    case 'ForceFunding':
      return forceFunding(exchange, command, at);
    case 'ContinueFunding':
      return continueFunding(exchange, command);
    case 'ContinueLiquidations':
      return continueLiquidations(exchange, at);
    case 'SetPracticeAsset':
      return setPracticeAsset(exchange, command);
    case 'GrantPractice':
      return grantPractice(exchange, command, at);
    case 'StockPractice':
      return stockPractice(exchange, command);
    default:
      return unreachable(command);
  }
}

/** The commands of the OTC desk. Before rules 9 there are none. */
import { unreachable, type Millis } from '@orrery/units';
import type { Event, OtcCommand } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from './exchange.ts';
import { publishAdvertisement, setAdvertisementState, updateAdvertisement } from './otc/advertise.ts';
import { createOtcOrder } from './otc/create-otc-order.ts';
import { appealOtcDecision, decideOtcDispute } from './otc/decide-otc-dispute.ts';
import { depositAsMerchant, payFromMerchantDeposit, returnMerchantDeposit } from './otc/merchant-deposit.ts';
import { assertEscrow } from './otc/otc-state.ts';
import { runOtcTimers } from './otc/run-otc-timers.ts';
import { setAssistPrices, setOtcTerms } from './otc/set-otc-terms.ts';
import { cancelOtcOrder, disputeOtcOrder, markOtcOrderPaid, releaseOtcOrder } from './otc/step-otc-order.ts';

export function decideOtc(exchange: Exchange, command: OtcCommand, at: Millis): Event[] {
  if (exchange.rules < 9) return [reject('RulesTooOld')];
  const events = decide(exchange, command, at);
  assertEscrow(exchange);
  return events;
}

function decide(exchange: Exchange, command: OtcCommand, at: Millis): Event[] {
  switch (command.type) {
    case 'SetOtcTerms':
      return setOtcTerms(exchange, command);
    case 'SetAssistPrices':
      return setAssistPrices(exchange, command, at);
    case 'PublishAdvertisement':
      return publishAdvertisement(exchange, command, at);
    case 'UpdateAdvertisement':
      return updateAdvertisement(exchange, command, at);
    case 'SetAdvertisementState':
      return setAdvertisementState(exchange, command, at);
    case 'CreateOtcOrder':
      return createOtcOrder(exchange, command, at);
    case 'MarkOtcOrderPaid':
      return markOtcOrderPaid(exchange, command, at);
    case 'ReleaseOtcOrder':
      return releaseOtcOrder(exchange, command, at);
    case 'CancelOtcOrder':
      return cancelOtcOrder(exchange, command, at);
    case 'DisputeOtcOrder':
      return disputeOtcOrder(exchange, command, at);
    case 'DecideOtcDispute':
      return decideOtcDispute(exchange, command, at);
    case 'AppealOtcDecision':
      return appealOtcDecision(exchange, command, at);
    case 'DepositAsMerchant':
      return depositAsMerchant(exchange, command, at);
    case 'ReturnMerchantDeposit':
      return returnMerchantDeposit(exchange, command);
    case 'PayFromMerchantDeposit':
      return payFromMerchantDeposit(exchange, command);
    case 'RunOtcTimers':
      return runOtcTimers(exchange, at);
    default:
      return unreachable(command);
  }
}

import { unreachable, type Millis } from '@orrery/units';
import type { Event, FundCommand } from '@orrery/protocol';
import type { FundState } from './fund-state.ts';
import { openFund, setFundCapacity } from './open-fund.ts';
import { redeemFromFund, subscribeToFund } from './requests.ts';
import { closeFund, continueFund, sendFundHeartbeat, valueFund } from './value-fund.ts';

export function decideFund(state: FundState, command: FundCommand, at: Millis): Event[] {
  switch (command.type) {
    case 'OpenFund':
      return openFund(state, command, at);
    case 'SetFundCapacity':
      return setFundCapacity(state, command);
    case 'SubscribeToFund':
      return subscribeToFund(state, command, at);
    case 'RedeemFromFund':
      return redeemFromFund(state, command, at);
    case 'ValueFund':
      return valueFund(state, command, at);
    case 'ContinueFund':
      return continueFund(state, command, at);
    case 'SendFundHeartbeat':
      return sendFundHeartbeat(state, command);
    case 'CloseFund':
      return closeFund(state, command, at);
    default:
      return unreachable(command);
  }
}

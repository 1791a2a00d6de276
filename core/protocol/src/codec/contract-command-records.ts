/** Commands of perpetual contracts in bytes. Field order and tags are the format: change them only with a new version. */
import type { ContractCommand, PlaceContractOrder } from '../contract-commands.ts';
import {
  closeAllMode,
  collateralFields,
  contractFields,
  externalSamples,
  indexSamples,
  marginDirection,
  marginGroup,
  marginMode,
  payoffOrAny,
  positionMode,
  positionSide,
  protectionScope,
  twapFields,
} from './contract-fields.ts';
import { attachedTrigger, contractTerms, protectionLeg } from './contract-order-fields.ts';
import { account, amount, asset, count, market, order, orderSizing, price, size, text, time, truth } from './field.ts';
import { writeOrderTerms } from './order-field.ts';
import { readPlaceContractOrder } from './order-command-readers.ts';
import type { Records } from './record.ts';
import type { Writer } from './writer.ts';

const positionOf = { account, market, positionSide };

function writePlaceContractOrder(writer: Writer, command: PlaceContractOrder): void {
  writeOrderTerms(writer, command);
  contractTerms.write(writer, command.contract);
  attachedTrigger.write(writer, command.takeProfit);
  attachedTrigger.write(writer, command.stopLoss);
}

export const contractCommandRecords: Records<ContractCommand> = {
  PlaceContractOrder: {
    tag: 28,
    write: writePlaceContractOrder,
    read: readPlaceContractOrder,
    other: {
      tag: 65,
      isOf: (command) => command.sizing !== undefined,
      write: (writer, command) => {
        writePlaceContractOrder(writer, command);
        orderSizing.write(writer, command.sizing ?? 'most');
      },
      read: (reader) => ({ ...readPlaceContractOrder(reader), sizing: orderSizing.read(reader) }),
    },
  },
  RegisterContract: { tag: 29, fields: contractFields },
  SetCollateral: { tag: 30, fields: collateralFields },
  SetLiquidator: { tag: 31, fields: { account } },
  SubmitPrices: { tag: 32, fields: { market, index: indexSamples, external: externalSamples } },
  ResetPrices: { tag: 33, fields: {} },
  SettleFunding: { tag: 34, fields: { market, interval: time } },
  SetLeverage: { tag: 35, fields: { ...positionOf, leverage: count } },
  SetMarginMode: { tag: 36, fields: { account, market, mode: marginMode } },
  SetPositionMode: { tag: 37, fields: { account, payoff: marginGroup, mode: positionMode } },
  AdjustMargin: { tag: 38, fields: { ...positionOf, direction: marginDirection, amount, key: text } },
  SetAutoMargin: { tag: 39, fields: { ...positionOf, value: truth } },
  SetFeeTier: { tag: 40, fields: { account, tier: count, rebateTier: count } },
  AmendTrigger: { tag: 41, fields: { account, orderId: order, triggerPrice: price, price, size } },
  SetProtection: {
    tag: 57,
    fields: { ...positionOf, scope: protectionScope, size, takeProfit: protectionLeg, stopLoss: protectionLeg, key: text },
  },
  CloseAllPositions: { tag: 42, fields: { account, payoff: payoffOrAny, mode: closeAllMode, key: text } },
  ScheduleCancel: { tag: 43, fields: { account, at: time } },
  RunTimers: { tag: 44, fields: {} },
  PlaceTwap: { tag: 45, fields: twapFields },
  CancelTwap: { tag: 46, fields: { account, twapId: count } },
  ContinueLiquidations: { tag: 47, fields: {} },
  SubmitCollateralPrices: { tag: 54, fields: { asset, index: indexSamples } },
  ForceFunding: { tag: 48, fields: { market, interval: time } },
  SetPracticeAsset: { tag: 51, fields: { asset } },
  GrantPractice: { tag: 52, fields: { account, day: time } },
  StockPractice: { tag: 53, fields: { account, upTo: amount } },
  ContinueFunding: { tag: 56, fields: { market } },
};

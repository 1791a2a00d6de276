/**
 * What an order of a contract has beyond an order of a spot market, each field by its own name, because every such order has it. The order of the lines is
 * the order of the bytes. Most orders have the same terms and nothing attached: one object stands for all of these.
 */
import { ppm } from '@orrery/units';
import { NOT_ATTACHED } from '../contract.ts';
import type { AttachedTrigger, ContractOrderTerms, ContractTerms, ProtectionLeg } from '../contract.ts';
import { orderSource, positionSide, triggerBy, triggerDirection } from './contract-fields.ts';
import { count, optionalOrder, price, rate, text, truth } from './field.ts';
import type { Field } from './field.ts';

const PLAIN: ContractTerms = {
  positionSide: 'both',
  reduceOnly: false,
  closePosition: false,
  triggerBy: 'last',
  trailingPpm: ppm(0),
  source: 'plain',
};

export const attachedTrigger: Field<AttachedTrigger> = {
  write: (writer, value) => {
    price.write(writer, value.triggerPrice);
    triggerBy.write(writer, value.triggerBy);
    price.write(writer, value.price);
  },
  read: (reader) => {
    const trigger: AttachedTrigger = { triggerPrice: price.read(reader), triggerBy: triggerBy.read(reader), price: price.read(reader) };
    return trigger.triggerPrice === 0 && trigger.triggerBy === 'last' && trigger.price === 0 ? NOT_ATTACHED : trigger;
  },
};

export const protectionLeg: Field<ProtectionLeg> = {
  write: (writer, value) => {
    attachedTrigger.write(writer, value);
    text.write(writer, value.clientOrderId);
  },
  read: (reader) => ({ ...attachedTrigger.read(reader), clientOrderId: text.read(reader) }),
};

export const contractTerms: Field<ContractTerms> = {
  write: (writer, value) => {
    positionSide.write(writer, value.positionSide);
    truth.write(writer, value.reduceOnly);
    truth.write(writer, value.closePosition);
    triggerBy.write(writer, value.triggerBy);
    rate.write(writer, value.trailingPpm);
    orderSource.write(writer, value.source);
  },
  read: (reader) => {
    const terms: ContractTerms = {
      positionSide: positionSide.read(reader),
      reduceOnly: truth.read(reader),
      closePosition: truth.read(reader),
      triggerBy: triggerBy.read(reader),
      trailingPpm: rate.read(reader),
      source: orderSource.read(reader),
    };
    return isPlain(terms) ? PLAIN : terms;
  },
};

export const contractOrderTerms: Field<ContractOrderTerms> = {
  write: (writer, value) => {
    contractTerms.write(writer, value);
    triggerDirection.write(writer, value.triggerDirection);
    optionalOrder.write(writer, value.parent);
    count.write(writer, value.group);
    attachedTrigger.write(writer, value.takeProfit);
    attachedTrigger.write(writer, value.stopLoss);
  },
  read: (reader) => ({
    ...contractTerms.read(reader),
    triggerDirection: triggerDirection.read(reader),
    parent: optionalOrder.read(reader),
    group: count.read(reader),
    takeProfit: attachedTrigger.read(reader),
    stopLoss: attachedTrigger.read(reader),
  }),
};

const isPlain = ({ positionSide: side, reduceOnly, closePosition, triggerBy: by, trailingPpm, source }: ContractTerms): boolean =>
  source === 'plain' && side === 'both' && !reduceOnly && !closePosition && by === 'last' && trailingPpm === 0;

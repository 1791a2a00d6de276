/** What an order of a spot market has beyond `OrderTerms`. The order of the lines is the order of the bytes. */
import { SPOT_SOURCES } from '../spot-terms.ts';
import type { PairLeg } from '../spot-commands.ts';
import type { SpotOrderTerms, SpotTerms } from '../spot-terms.ts';
import { triggerDirection } from './contract-fields.ts';
import { attachedTrigger } from './contract-order-fields.ts';
import { oneOf, optionalOrder, orderType, price, rate, text } from './field.ts';
import type { Field } from './field.ts';
import { record } from './record.ts';

const terms = {
  source: oneOf(SPOT_SOURCES),
  trailingPpm: rate,
  activationPrice: price,
  takeProfit: attachedTrigger,
  stopLoss: attachedTrigger,
};

export const spotTerms: Field<SpotTerms> = record<SpotTerms>(terms);

export const spotOrderTerms: Field<SpotOrderTerms> = record<SpotOrderTerms>({
  ...terms,
  triggerDirection,
  parent: optionalOrder,
  group: optionalOrder,
  reservedBy: optionalOrder,
  reservePrice: price,
});

export const pairLeg: Field<PairLeg> = record<PairLeg>({ clientOrderId: text, orderType, price, triggerPrice: price, slippagePpm: rate });

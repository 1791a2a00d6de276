/** Addresses in the bodies of calls. */
import { ApiError, type Principal } from '@orrery/api';
import { type Address, parseAddress } from '@orrery/units';

export function addressOf(text: string, field: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new ApiError('MalformedField', { field });
  return address;
}

/** Who one is comes from the token; what the body says of it must agree. */
export function checkOwn(principal: Principal, text: string, field: string): void {
  if (addressOf(text, field) !== principal.address) throw new ApiError('NotYours', { field });
}

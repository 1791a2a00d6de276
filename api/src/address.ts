/** Addresses in queries and bodies of calls. */
import { type Address, parseAddress } from '@orrery/units';
import { ApiError } from './error.ts';

/** @throws ApiError naming the field when the text is no address. */
export function addressField(text: string, field: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new ApiError('MalformedField', { field });
  return address;
}

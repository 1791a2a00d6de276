/** Addresses in the bodies of calls. */
import { addressField, ApiError, type Principal } from '@orrery/api';

/** Who one is comes from the token; what the body says of it must agree. */
export function checkOwn(principal: Principal, text: string, field: string): void {
  if (addressField(text, field) !== principal.address) throw new ApiError('NotYours', { field });
}

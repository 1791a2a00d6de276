/** Of which advertisements and accounts what is kept in memory is read again when something has happened. */
import type { OtcEvent } from '@orrery/protocol';
import type { AccountId } from '@orrery/units';
import { isEnd } from './ids.ts';

interface Touched {
  readonly advertisements: Set<number>;
  readonly accounts: Set<AccountId>;
}

export function touch(event: OtcEvent, { advertisements, accounts }: Touched): void {
  switch (event.type) {
    case 'AdvertisementPublished':
    case 'AdvertisementChanged':
      advertisements.add(event.advertisement);
      break;
    case 'OtcOrderStepped':
      if (isEnd(event.status)) accounts.add(event.buyer).add(event.seller);
      break;
    case 'MerchantDeposited':
    case 'MerchantDepositReturned':
    case 'MerchantDepositPaid':
      accounts.add(event.account);
      break;
    default:
      break;
  }
}

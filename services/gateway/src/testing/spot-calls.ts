/** For tests of streams: what a person asks of the calls of spot meanwhile. */
import { SEQ_HEADER } from '@orrery/api';
import type { Person } from './people.ts';
import type { Answer, Venue } from './venue.ts';

export interface SpotCalls {
  readonly ticketOf: (person: Person) => Promise<string>;
  /** A limit order in BTC_USDC. */
  readonly place: (person: Person, direction: 'BUY' | 'SELL', price: string, totalAmount?: string) => Promise<Answer>;
}

/** @param venueOf the one of the test that runs */
export const spotCalls = (venueOf: () => Venue): SpotCalls => ({
  ticketOf: async (person) => (await venueOf().get('/spot/v1/u/ws/token', { as: person })).data,
  place: (person, direction, price, totalAmount = '0.01') =>
    venueOf().post('/spot/v1/u/trade/order/create', {
      as: person,
      body: { symbol: 'BTC_USDC', direction, tradeType: 'LIMIT', price, totalAmount },
    }),
});

/** The command that a call has led to. */
export const seqOf = ({ headers }: Answer): number => Number(headers.get(SEQ_HEADER));

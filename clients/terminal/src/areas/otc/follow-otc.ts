/** What is shown of OTC trading is read again when the account's stream says that it has changed. */
import type { OtcNews } from '@orrery/api';
import { refresh } from '../../platform/data/calls.ts';
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { useAccountNews, useAccountTopic } from '../../platform/data/streams/use-account-stream.ts';

const READINGS = {
  ORDER: ['otcOrder', 'otcOrders', 'otcMessages', 'otcAdvertisements', 'otcOwnAdvertisements'],
  MESSAGE: ['otcMessages', 'otcOrders'],
  ADVERTISING: ['otcOwnAdvertisements', 'otcAdvertisements'],
  MERCHANT: ['ownOtcMerchant'],
  APPRAISAL: ['ownOtcMerchant'],
  DISPUTE: ['otcOrder', 'otcMessages'],
} as const satisfies Record<OtcNews['kind'], readonly string[]>;

/** Only what is on the page is read: the others when they are shown. */
const hear = ({ kind }: OtcNews): void => void refresh(...READINGS[kind]);

/** What was missed while the stream was away. */
function catchUp({ kind }: AccountNews): void {
  if (kind === 'ready') void refresh('otcOrder', 'otcOrders', 'otcMessages', 'otcOwnAdvertisements');
}

export function useOtcNews(): void {
  useAccountTopic('uOtc', hear);
  useAccountNews(catchUp);
}

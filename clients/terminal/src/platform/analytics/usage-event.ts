/** What is sent about the use of the pages: these events and nothing else. An address is in none of them, only the keyed hash of it. */
import type { AnalyticsId } from '@orrery/api';

/** Query parameters by which a link names where it was found. */
const CHANNELS = ['tid', 'pid'] as const;
const CHANNEL = /^[\w.-]{1,64}$/;
/** An address, a hash of a transaction or of a block. */
const HASH = /0x[0-9a-f]{16,}/gi;

export type Platform = 'telegram' | 'app' | 'phone' | 'desktop';

export interface Circumstances {
  readonly deviceId: string;
  readonly platform: Platform;
  /** The wallet's type; empty without one. */
  readonly walletType: string;
  /** The query of the address by which the visit began. */
  readonly arrivedBy: string;
}

export interface UsageEvent {
  readonly event: '$identify' | '$pageview';
  readonly distinct_id: string;
  readonly properties: Readonly<Record<string, string | boolean | object>>;
}

/** @returns `tid` and `pid` as they were given, and as `channel` the first of them; empty for neither. */
export function channelOf(query: string): Readonly<Record<string, string>> {
  const given = new URLSearchParams(query);
  const named = CHANNELS.flatMap((name) => {
    const value = given.get(name);
    return value !== null && CHANNEL.test(value) ? [[name, value] as const] : [];
  });
  return named[0] === undefined ? {} : { channel: named[0][1], ...Object.fromEntries(named) };
}

export const platformOf = (userAgent: string, { inTelegram, inApp }: { inTelegram: boolean; inApp: boolean }): Platform => {
  if (inTelegram) return 'telegram';
  if (inApp) return 'app';
  return /mobi/i.test(userAgent) ? 'phone' : 'desktop';
};

function propertiesOf(now: Circumstances, id: AnalyticsId | undefined): UsageEvent['properties'] {
  const { deviceId, platform, walletType, arrivedBy } = now;
  return {
    deviceId,
    platform,
    ...(walletType !== '' && { walletType }),
    ...(id !== undefined && { walletAddress: id.walletAddress }),
    ...channelOf(arrivedBy),
    // The service is not to look up where the caller's network is.
    $geoip_disable: true,
  };
}

/** Who this device belongs to from now on. */
export const identified = (now: Circumstances, id: AnalyticsId): UsageEvent => ({
  event: '$identify',
  distinct_id: id.walletAddress,
  properties: { ...propertiesOf(now, id), $anon_distinct_id: now.deviceId, $set: { walletAddress: id.walletAddress, month: id.month } },
});

/** @param page.path without its query; hashes in it are left out */
export const viewed = (now: Circumstances, id: AnalyticsId | undefined, { origin, path }: { origin: string; path: string }): UsageEvent => {
  const page = path.replace(HASH, ':hash');
  return {
    event: '$pageview',
    distinct_id: id?.walletAddress ?? now.deviceId,
    properties: { ...propertiesOf(now, id), page, $pathname: page, $current_url: `${origin}${page}` },
  };
};

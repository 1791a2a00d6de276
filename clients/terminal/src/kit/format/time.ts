/** Moments and spans. Tables show absolute times in the chosen zone; the zone is named once, in the footer. */
export const timeZones = ['local', 'utc'] as const;
export type TimeZone = (typeof timeZones)[number];

export interface TimeStyle {
  readonly zone: TimeZone;
  readonly separator: '-' | '/';
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD HH:mm:ss` (or with `/`). */
export function formatTime(millis: number, { zone, separator }: TimeStyle): string {
  const moment = new Date(millis);
  // The UTC getters read the local wall clock when the moment is shifted by the zone's offset.
  const shown = zone === 'utc' ? moment : new Date(millis - moment.getTimezoneOffset() * 60_000);
  const date = [shown.getUTCFullYear(), two(shown.getUTCMonth() + 1), two(shown.getUTCDate())].join(separator);
  return `${date} ${two(shown.getUTCHours())}:${two(shown.getUTCMinutes())}:${two(shown.getUTCSeconds())}`;
}

/** `.042`: the part of a second that `formatTime` leaves out. */
export const formatMillis = (millis: number): string => `.${String(millis % 1_000).padStart(3, '0')}`;

/** For files: UTC, whatever zone is chosen. */
export const isoTime = (millis: number): string => new Date(millis).toISOString();

/** `UTC`, or the offset of this computer: `UTC+2`, `UTC−3:30`. */
export function zoneName(zone: TimeZone, offsetMinutes: number): string {
  if (zone === 'utc' || offsetMinutes === 0) return 'UTC';
  const sign = offsetMinutes < 0 ? '+' : '\u2212';
  const minutes = Math.abs(offsetMinutes);
  const rest = minutes % 60;
  return `UTC${sign}${Math.trunc(minutes / 60)}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** `4 h 12 m`, `3 m`, `25 s`: the two largest units that matter, rounded down. */
export function formatSpan(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d`;
}

/** `2 d 03:04:05`, `03:04:05`: what is left until something, to the second. */
export function formatCountdown(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const days = Math.floor(seconds / 86_400);
  return days === 0 ? clock : `${days} d ${clock}`;
}

const DAY_MS = 86_400_000;

/** Whole days since a day such as `2026-03-02` began, in UTC; 0 for days to come. */
export const daysSince = (day: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));

/** Minutes this computer is behind UTC now; negative when it is ahead. */
export const localOffset = (): number => new Date().getTimezoneOffset();

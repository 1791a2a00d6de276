/** What happened to an account, kept on this device for its owner to look through. */

export const CATEGORIES = ['orders', 'money', 'rewards', 'system'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Notification {
  /** Unique: the same event heard twice is one notification. */
  readonly id: string;
  readonly category: Category;
  /** Unix milliseconds. */
  readonly at: number;
  readonly title: string;
  /** A second line; empty when the first says all. */
  readonly detail: string;
  /** Where there is more of it: an address of this origin. */
  readonly link?: string;
  readonly isSeen: boolean;
}

/** Kept of each account; the oldest give way. */
export const NOTIFICATIONS_MAX = 100;
/** Accounts of which notifications are kept on this device; the one used longest ago gives way. */
export const OWNERS_MAX = 8;

/** Newest first. */
export type Notifications = readonly Notification[];

export function withNotification(list: Notifications, added: Notification): Notifications {
  return list.some(({ id }) => id === added.id) ? list : [added, ...list].slice(0, NOTIFICATIONS_MAX);
}

export const allSeen = (list: Notifications): Notifications =>
  list.some(({ isSeen }) => !isSeen) ? list.map((one) => (one.isSeen ? one : { ...one, isSeen: true })) : list;

export const unseenOf = (list: Notifications): number => list.filter(({ isSeen }) => !isSeen).length;

function parseOne(json: unknown): Notification | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { id, category, at, title, detail, link, isSeen } = json as Readonly<Record<string, unknown>>;
  const known = CATEGORIES.find((name) => name === category);
  if (known === undefined || typeof id !== 'string' || typeof title !== 'string' || typeof detail !== 'string') return undefined;
  // A link is never a way out: storage may have been written by something else.
  return typeof at === 'number' && Number.isSafeInteger(at)
    ? {
        id,
        category: known,
        at,
        title,
        detail,
        ...(typeof link === 'string' && /^\/[a-z]/.test(link) && { link }),
        isSeen: isSeen === true,
      }
    : undefined;
}

export type ByOwner = Readonly<Record<string, Notifications>>;

export function parseByOwner(json: unknown): ByOwner | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const owners: Record<string, Notifications> = {};
  for (const [owner, list] of Object.entries(json).slice(-OWNERS_MAX)) {
    if (!Array.isArray(list)) continue;
    owners[owner] = list
      .map(parseOne)
      .filter((one) => one !== undefined)
      .slice(0, NOTIFICATIONS_MAX);
  }
  return owners;
}

/** With the list of one owner changed, who is then the one used last. */
export function withOwner(owners: ByOwner, owner: string, list: Notifications): ByOwner {
  const others = Object.entries(owners).filter(([other]) => other !== owner);
  return Object.fromEntries([...others.slice(1 - OWNERS_MAX), [owner, list]]);
}

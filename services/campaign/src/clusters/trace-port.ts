/** From where the relations between accounts come that are neither money nor invitations: sign-ins. */
import type { Relations } from './links.ts';

/** From where accounts were used. */
export interface TracePort {
  /** The same mark is the same network or device. */
  all(): Promise<Relations['traces']>;
}

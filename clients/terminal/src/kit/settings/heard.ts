/** A sound for an event, if the person wants to hear it. */
import type { Sound } from '../sound/tones.ts';
import { useSettings } from './settings.ts';
import type { Settings } from './settings.ts';

/** All are off until they are switched on. */
export const SOUND_FLAGS = {
  fill: 'soundOfFill',
  accepted: 'soundOfAccepted',
  rejected: 'soundOfRejected',
} as const satisfies Record<Sound, keyof Settings>;

export function heard(sound: Sound): void {
  if (!useSettings.getState()[SOUND_FLAGS[sound]]) return;
  // Nobody has to hear it: what cannot be loaded is not played.
  void import('../sound/sounds.ts').then(
    ({ playSound }) => playSound(sound),
    () => undefined,
  );
}

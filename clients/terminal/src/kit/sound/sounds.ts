/** Plays sounds, but no two of a kind at once. */
import { play } from './player.ts';
import { APART_MS } from './tones.ts';
import type { Sound } from './tones.ts';

/** One sound of a kind in a short time: what comes sooner is left out. */
export class Spacing {
  readonly #last = new Map<Sound, number>();

  /** @param now milliseconds of a clock that only goes forward. */
  mayPlay(sound: Sound, now: number): boolean {
    const last = this.#last.get(sound);
    if (last !== undefined && now - last < APART_MS) return false;
    this.#last.set(sound, now);
    return true;
  }
}

const spacing = new Spacing();

export function playSound(sound: Sound): void {
  if (!spacing.mayPlay(sound, performance.now())) return;
  play(sound);
}

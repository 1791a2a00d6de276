/** Plays notes with the browser's own oscillators: no file is loaded. */
import { TONES } from './tones.ts';
import type { Sound } from './tones.ts';

/** Of full scale. */
const LOUDNESS = 0.12;
/** Seconds in which a note rises and falls, so that it does not click. */
const EDGE = 0.012;

let context: AudioContext | undefined;

export function play(sound: Sound): void {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  // A page that nobody has touched yet may not sound: the browser refuses, and nothing is lost.
  void context.resume().catch(() => undefined);
  for (const { pitch, at, length } of TONES[sound]) {
    const [start, end] = [currentTime + at, currentTime + at + length];
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.type = 'sine';
    oscillator.frequency.value = pitch;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + EDGE);
    gain.gain.setValueAtTime(LOUDNESS, Math.max(start + EDGE, end - EDGE));
    gain.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(gain).connect(destination);
    oscillator.start(start);
    oscillator.stop(end);
  }
}

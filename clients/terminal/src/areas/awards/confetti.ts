/** A burst of confetti over the whole page, for real awards only. Who asked for less motion gets none, and loads nothing. */

/** Reward and bone: the picture of an award has no other colours. */
const COLOURS = ['#e8b64c', '#efe7d4', '#a9aba2'];
const PARTICLES = 90;

async function burst(canvas: HTMLCanvasElement): Promise<void> {
  const { default: confetti } = await import('canvas-confetti');
  // Its worker would come from a blob, which the content security policy refuses.
  const fire = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const throwFrom = (x: number, angle: number) =>
    fire({ particleCount: PARTICLES, angle, spread: 62, startVelocity: 52, origin: { x, y: 0.72 }, colors: COLOURS });
  await Promise.all([throwFrom(0.12, 62), throwFrom(0.88, 118)]);
}

/** @returns what ends it early. */
export function celebrate(): () => void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return () => undefined;
  const canvas = document.createElement('canvas');
  canvas.className = 'pointer-events-none fixed inset-0 z-[70] size-full';
  canvas.setAttribute('aria-hidden', 'true');
  canvas.dataset['confetti'] = '';
  document.body.append(canvas);
  const end = (): void => canvas.remove();
  // Without the library the award is as real: there is only nothing to see of it.
  burst(canvas).then(end, end);
  return end;
}

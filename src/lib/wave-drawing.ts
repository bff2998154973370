/** The waveform's drawing, in units of its viewBox. */
export const WAVE_WIDTH = 192;
export const WAVE_HEIGHT = 32;
const BAR_STEP = 3;

/** The SVG path of a waveform, one vertical stroke per bar; a flat line if it is empty. */
export function drawWave(wave: string): string {
  const bars = [...wave].map((bar, index) => {
    // Stored queues of older versions have a path here.
    const half = Number.parseInt(bar, 16) || 1;
    return `M${index * BAR_STEP + 1} ${16 - half}v${half * 2}`;
  });
  return bars.join('') || `M0 16h${WAVE_WIDTH}`;
}

/** Draws the waveform of a `<path data-wave>`. */
export function drawInto(path: Element): void {
  path.setAttribute('d', drawWave(path.getAttribute('data-wave') ?? ''));
}

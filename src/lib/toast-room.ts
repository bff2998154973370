/** Widest toast, its padding and icon, and its text, in pixels (`styles/toasts.css`). */
const WIDTH_PX_MAX = 356;
const SIDES_PX = 32;
const ICON_PX = 28;
const TEXT_PX = 14;
const LINE_PX = 21;
/** Space between two toasts, and between the stack and the edge of the viewport. */
const GAP_PX = 14;
const EDGE_PX = 24;

interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Height of a toast in pixels, at most: every character counts as full-width, and each line may lose one. */
export function estimateToastHeight(message: string, { width }: Viewport): number {
  const linePx = Math.min(WIDTH_PX_MAX, width - SIDES_PX) - SIDES_PX - ICON_PX;
  const charactersPerLine = Math.max(1, Math.floor(linePx / TEXT_PX) - 1);
  return 2 + SIDES_PX + Math.ceil(message.length / charactersPerLine) * LINE_PX;
}

/** Whether one more toast fits the viewport below those that are shown. Alone, a toast always fits. */
export function hasToastRoom(shownPx: readonly number[], nextPx: number, { height }: Viewport): boolean {
  const usedPx = shownPx.reduce((sum, each) => sum + each + GAP_PX, 0);
  return shownPx.length === 0 || usedPx + nextPx <= height - 2 * EDGE_PX;
}

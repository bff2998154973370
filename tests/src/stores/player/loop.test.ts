// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { endLoop, startLoop } from '#src/stores/player/loop.ts';

const { replaceElement } = vi.hoisted(() => ({
  replaceElement: vi.fn<(element: HTMLAudioElement, ending: AbortController) => Promise<object>>(),
}));
vi.mock('#src/stores/player/seamless.ts', () => ({ replaceElement }));

afterEach(() => {
  endLoop();
  replaceElement.mockReset();
});

it.each([
  [120, 1],
  [120.1, 0],
  [Number.NaN, 0],
  [Infinity, 0],
])('a loop of %d seconds is decoded %d times', async (duration, times) => {
  replaceElement.mockResolvedValue({});
  startLoop({ duration } as HTMLAudioElement);
  await vi.dynamicImportSettled();
  expect(replaceElement).toHaveBeenCalledTimes(times);
});

it('a loop that its context has ended can start again', async () => {
  replaceElement.mockResolvedValue({});
  startLoop({ duration: 4 } as HTMLAudioElement);
  await vi.dynamicImportSettled();
  const [[, ending] = []] = replaceElement.mock.calls;
  ending?.abort();
  startLoop({ duration: 4 } as HTMLAudioElement);
  await vi.dynamicImportSettled();
  expect(replaceElement).toHaveBeenCalledTimes(2);
});

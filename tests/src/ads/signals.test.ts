// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { afterVisible } from '#src/ads/after-visible.ts';
import { within } from '#src/ads/signals.ts';
import { createTestClock } from '../support/ad-clock.ts';

describe('work with a time limit', () => {
  it('returns its result, and leaves no timer or listener', async () => {
    const clock = createTestClock();
    expect(await within({ clock, ms: 1_000 }, async () => 'done')).toBe('done');
    await expect(within({ clock, ms: 1_000 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.waiting).toBe(0);
  });

  it.each(['time', 'signal'])('returns null when its %s ends, and is told about it', async (end) => {
    const clock = createTestClock();
    const leaving = new AbortController();
    const heard = vi.fn();
    const result = within({ clock, ms: 1_000, signal: leaving.signal }, (signal) => {
      signal.addEventListener('abort', heard);
      return new Promise(() => {});
    });
    if (end === 'time') await clock.pass(1_000);
    else leaving.abort();
    expect(await result).toBeNull();
    expect(heard).toHaveBeenCalledOnce();
    expect(clock.waiting).toBe(0);
  });
});

describe('visible time', () => {
  it('stops while the tab is hidden, and can be cancelled', async () => {
    const clock = createTestClock();
    const due = vi.fn();
    const state = vi.spyOn(document, 'visibilityState', 'get');
    const turn = (value: DocumentVisibilityState) => {
      state.mockReturnValue(value);
      document.dispatchEvent(new Event('visibilitychange'));
    };
    turn('hidden');
    afterVisible(clock, 1_000, due);
    await clock.pass(5_000);
    turn('visible');
    await clock.pass(900);
    turn('hidden');
    await clock.pass(5_000);
    turn('visible');
    await clock.pass(99);
    expect(due).not.toHaveBeenCalled();
    await clock.pass(1);
    turn('hidden');
    turn('visible');
    await clock.pass(5_000);
    expect(due).toHaveBeenCalledOnce();
    afterVisible(clock, 1_000, due)();
    turn('hidden');
    turn('visible');
    await clock.pass(5_000);
    expect(due).toHaveBeenCalledOnce();
    expect(clock.waiting).toBe(0);
    vi.restoreAllMocks();
  });
});

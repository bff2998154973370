// @vitest-environment happy-dom
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { type Sound, SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';
import { callApi, refreshSounds, setExtended, useStores } from '../../support/stores.ts';

const { showMeasured } = vi.hoisted(() => ({ showMeasured: vi.fn<(sound: object) => void>() }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/my-sounds/editor.ts', () => ({ showMeasured }));
vi.mock('#src/stores/my-sounds/list.ts', () => ({ refreshSounds }));

import { $measuring, followMeasuring } from '#src/stores/my-sounds/findings.ts';

const NOW_MS = Date.UTC(2026, 3, 1);
const HOUR_MS = 3_600_000;
const findings = { silent_head_ms: 0, clips_ms: [], clip_count: 0, is_tail_cut: false, loudness_lufs: -14 };
const toSound = (more: object): Sound => v.parse(lenient(SoundSchema), { id: 5, ...more });
const FRESH = toSound({ created_at: new Date(NOW_MS - 1_000).toISOString() });

useStores({ isExtended: true, clock: { now: NOW_MS } });
beforeEach(() => void callApi.mockResolvedValue(FRESH));

describe('following the measurement of a sound', () => {
  it('uses what the list contains, and requests nothing', async () => {
    followMeasuring({ ...FRESH, findings, peaks: 'zz' });
    expect($measuring.get()).toEqual({ state: 'done', findings, peaks: 'zz' });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(callApi).not.toHaveBeenCalled();
  });

  it('does not start on a host without a call for one sound', async () => {
    setExtended(false);
    followMeasuring(FRESH);
    expect($measuring.get()).toEqual({ state: 'none' });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(callApi).not.toHaveBeenCalled();
  });

  it('polls until it is done, then shows the estimates and reloads the list', async () => {
    followMeasuring(FRESH);
    expect($measuring.get().state).toBe('under-way');
    await vi.advanceTimersByTimeAsync(1_000);
    const measured = { ...FRESH, findings, peaks: 'az', bpm: 128, is_bpm_estimated: true };
    callApi.mockResolvedValue(measured);
    await vi.advanceTimersByTimeAsync(2_000);
    expect($measuring.get()).toEqual({ state: 'done', findings, peaks: 'az' });
    expect(refreshSounds).toHaveBeenCalledTimes(1);
    expect(showMeasured.mock.calls).toEqual([[measured]]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(callApi).toHaveBeenCalledTimes(2);
  });

  it('stops polling after a while, and continues after a failed answer', async () => {
    callApi.mockRejectedValue(new ApiError(503, []));
    followMeasuring(FRESH);
    await vi.advanceTimersByTimeAsync(60_000);
    expect($measuring.get().state).toBe('under-way');
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect($measuring.get().state).toBe('late');
    expect(callApi.mock.calls.length).toBeLessThan(10);
  });

  it('stops at a refusal', async () => {
    callApi.mockRejectedValue(new ApiError(404, []));
    followMeasuring(FRESH);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect($measuring.get().state).toBe('late');
    expect(callApi).toHaveBeenCalledTimes(1);
  });

  it('stops when the dialog closes, even with a request in progress', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    callApi.mockReturnValue(promise);
    const stop = followMeasuring(FRESH);
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    followMeasuring({ ...FRESH, created_at: undefined });
    resolve({ ...FRESH, findings });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect($measuring.get()).toEqual({ state: 'none' });
    expect(callApi).toHaveBeenCalledTimes(1);
  });

  it('pauses in a hidden tab', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    followMeasuring(FRESH);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(callApi).not.toHaveBeenCalled();
    hidden.mockReturnValue(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(callApi).toHaveBeenCalled();
    hidden.mockRestore();
  });

  it('shows nothing for a host that does not measure, and reports old unmeasured sounds as impossible', () => {
    followMeasuring(toSound({}));
    expect($measuring.get().state).toBe('none');
    followMeasuring(toSound({ created_at: new Date(NOW_MS - 25 * HOUR_MS).toISOString() }));
    expect($measuring.get().state).toBe('impossible');
  });
});

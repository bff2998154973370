// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setPasswordPrompt } from '#src/browser/password-prompt.ts';
import { sendAsMember } from '#src/api/upload.ts';
import { useStores } from '../support/stores.ts';

/** A request that behaves as the test defines. */
class FakeRequest {
  static last: FakeRequest;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly sent: Record<string, string> = {};
  onload?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 0;
  responseText = '';
  constructor() {
    FakeRequest.last = this;
  }
  open(): void {}
  send(): void {}
  setRequestHeader(name: string, value: string): void {
    this.sent[name.toLowerCase()] = value;
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
  answer(status: number): void {
    this.status = status;
    this.onload?.();
    this.onloadend?.();
  }
}

useStores({ clock: true });
beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  localStorage.setItem('token', 'access-1');
});

describe('a request with a file', () => {
  const request = { method: 'PATCH', url: '/api/uploads/u1', headers: { 'Upload-Offset': '0' } };

  it('carries its own headers and the member’s token', async () => {
    const reply = sendAsMember(request);
    await vi.advanceTimersByTimeAsync(0);
    FakeRequest.last.answer(204);
    expect((await reply).status).toBe(204);
    expect(FakeRequest.last.sent).toEqual({ 'upload-offset': '0', authorization: 'Bearer access-1' });
  });

  it('is repeated after the required password was given', async () => {
    setPasswordPrompt(() => Promise.resolve(true));
    const reply = sendAsMember(request);
    await vi.advanceTimersByTimeAsync(0);
    const first = FakeRequest.last;
    first.responseText = '{"detail":"もう一度","code":"recent_login_required"}';
    first.answer(403);
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeRequest.last).not.toBe(first);
    FakeRequest.last.answer(200);
    expect((await reply).status).toBe(200);
    setPasswordPrompt(null);
  });

  it('counts as lost after a time without progress, not while it is slow', async () => {
    const outcome = sendAsMember({ ...request, silenceMsMax: 60_000 }).then(
      () => 'answered',
      (error: unknown) => error,
    );
    let isOver = false;
    void outcome.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(0);
    for (let loaded = 1; loaded < 5; loaded += 1) {
      await vi.advanceTimersByTimeAsync(59_000);
      FakeRequest.last.upload.onprogress?.({ loaded, total: 9 });
    }
    await vi.advanceTimersByTimeAsync(59_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({ name: 'ApiError', status: 0, kind: 'unavailable' });
  });

  it('ends with its signal and its reason, and leaves no timer', async () => {
    const abort = new AbortController();
    const outcome = sendAsMember({ ...request, signal: abort.signal, silenceMsMax: 60_000 });
    abort.abort(new Error('cancelled'));
    await expect(outcome).rejects.toThrow('cancelled');
    expect(vi.getTimerCount()).toBe(0);
  });
});

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const QUESTION = { title: 'ログアウトしますか？', text: '失われます。', action: 'ログアウトする' };
const PROOF = { password: true, code: false };
/** Long enough for the promises of a loader whose code is loaded. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

let overlays: typeof import('#src/stores/overlays/overlays.ts');
let loaded: string[];

beforeEach(async () => {
  vi.resetModules();
  document.body.innerHTML = '<button>開く</button><div id="toasts"></div>';
  overlays = await import('#src/stores/overlays/overlays.ts');
  loaded = [];
  overlays.setOverlayLoader(async (kind) => void loaded.push(kind));
});
afterEach(() => vi.unstubAllGlobals());

describe('where the code of overlays loads', () => {
  it('each kind loads separately, on first use', async () => {
    expect(loaded).toEqual([]);
    overlays.showAlert('保存に失敗しました');
    overlays.showToast('error', '届きませんでした。');
    void overlays.ask(QUESTION);
    void overlays.askPassword(PROOF, new AbortController().signal);
    await overlays.openDownloadSheet();
    expect(loaded.toSorted()).toEqual(['alert', 'download', 'password', 'question', 'toast']);
  });

  it('alerts and questions follow each other in the order in which they are raised', async () => {
    const showing = () =>
      [...overlays.$alerts.get(), ...overlays.$questions.get()].map((each) => each.content);
    const loads = new Map<string, () => void>();
    overlays.setOverlayLoader((kind) => new Promise((resolve) => loads.set(kind, resolve)));
    overlays.showAlert('一つ目');
    const answer = overlays.ask(QUESTION);
    loads.get('question')?.();
    await settle();
    expect(showing()).toEqual([]);
    loads.get('alert')?.();
    await settle();
    expect(showing()).toEqual(['一つ目']);
    const [alert] = overlays.$alerts.get();
    alert?.close();
    alert?.close();
    await settle();
    expect(showing()).toEqual([QUESTION]);
    overlays.$questions.get()[0]?.close(true);
    expect(await answer).toBe(true);
  });

  it.each([true, false])('a question is answered with %s and closes', async (isYes) => {
    const answer = overlays.ask(QUESTION);
    await settle();
    expect(overlays.$questions.get()[0]?.content).toBe(QUESTION);
    overlays.$questions.get()[0]?.close(isYes);
    expect(await answer).toBe(isYes);
    expect(overlays.$questions.get()).toEqual([]);
  });

  it('a password prompt reports whether the password was accepted', async () => {
    const answer = overlays.askPassword(PROOF, new AbortController().signal);
    await settle();
    overlays.$passwordPrompts.get()[0]?.close(true);
    expect([await answer, overlays.$passwordPrompts.get()]).toEqual([true, []]);
  });

  it('a password prompt ends with its signal, open or still loading', async () => {
    const open = new AbortController();
    const answer = overlays.askPassword(PROOF, open.signal);
    await settle();
    open.abort();
    expect([await answer, overlays.$passwordPrompts.get()]).toEqual([false, []]);
    const loading = new AbortController();
    const next = overlays.askPassword(PROOF, loading.signal);
    loading.abort();
    expect([await next, overlays.$passwordPrompts.get()]).toEqual([false, []]);
  });

  it('toasts that are raised while the code loads follow in their order', async () => {
    const shown: unknown[] = [];
    const loads: (() => void)[] = [];
    overlays.setOverlayLoader(() => new Promise((resolve) => loads.push(resolve)));
    overlays.$lastToast.listen((toast) => shown.push(toast));
    overlays.showToast('error', '届きませんでした。');
    overlays.showToast('success', '届きました。');
    await settle();
    loads[1]?.();
    expect(shown).toEqual([]);
    loads[0]?.();
    await settle();
    loads[1]?.();
    await settle();
    expect(shown).toMatchObject([
      { kind: 'error', message: '届きませんでした。' },
      { kind: 'success', message: '届きました。' },
    ]);
  });

  it('the download sheet keeps the element that had focus before any dialog', async () => {
    const button = document.querySelector('button')!;
    button.focus();
    await overlays.openDownloadSheet();
    document.body.insertAdjacentHTML('beforeend', '<dialog open><input></dialog>');
    document.querySelector('input')?.focus();
    await overlays.openDownloadSheet();
    expect(overlays.$downloadSheet.get()).toEqual({ isOpen: true, opener: button });
  });

  it('leaving a page closes its dialogs and answers no', async () => {
    overlays.showAlert('保存に失敗しました');
    const answers = [overlays.ask(QUESTION), overlays.askPassword(PROOF, new AbortController().signal)];
    await overlays.openDownloadSheet();
    await settle();
    overlays.closeOverlays();
    expect(await Promise.all(answers)).toEqual([false, false]);
    const { $alerts, $questions, $passwordPrompts, $downloadSheet } = overlays;
    expect([$alerts, $questions, $passwordPrompts].map(($open) => $open.get())).toEqual([[], [], []]);
    expect($downloadSheet.get().isOpen).toBe(false);
  });
});

describe('where the code of overlays does not load', () => {
  const said: string[] = [];

  beforeEach(() => {
    said.length = 0;
    vi.stubGlobal('alert', (message: string) => said.push(message));
    vi.stubGlobal('confirm', (message: string) => said.push(message) > 0);
    overlays.setOverlayLoader(() => Promise.reject(new TypeError('offline')));
  });

  it('an alert and a question use the browser’s own', async () => {
    overlays.showAlert('保存に失敗しました');
    await settle();
    expect([said, overlays.$alerts.get()]).toEqual([['保存に失敗しました'], []]);
    expect(await overlays.ask(QUESTION)).toBe(true);
    expect(said[1]).toBe(`${QUESTION.title}\n${QUESTION.text}`);
  });

  it('a toast is plain text in the page', async () => {
    overlays.showToast('error', '届きませんでした。');
    await settle();
    expect(document.querySelector('#toasts .plain-toast')?.textContent).toBe('届きませんでした。');
    expect(overlays.$lastToast.get()?.message).toBe('届きませんでした。');
  });

  it('the password prompt and the download sheet reject', async () => {
    await expect(overlays.askPassword(PROOF, new AbortController().signal)).rejects.toThrow('offline');
    await expect(overlays.openDownloadSheet()).rejects.toThrow('offline');
    expect(overlays.$downloadSheet.get().isOpen).toBe(false);
  });

  it('the same holds without an island that renders overlays', async () => {
    vi.resetModules();
    const { ask } = await import('#src/stores/overlays/overlays.ts');
    expect(await ask(QUESTION)).toBe(true);
  });
});

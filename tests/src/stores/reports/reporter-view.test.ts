// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';

type Call = (endpoint: { readonly path: string }, options: { readonly body: object }) => Promise<unknown>;
const { callAnonymously } = vi.hoisted(() => ({ callAnonymously: vi.fn<Call>() }));
vi.mock('#src/api/browser.ts', () => ({ callAnonymously }));

import { createReporterView } from '#src/stores/reports/reporter-view.ts';

const REPORT = { id: 'r1', state: 'unconfirmed', can_confirm: true };
const paths = () => callAnonymously.mock.calls.map(([{ path }]) => path);
const settled = () => vi.waitFor(() => expect(view.$view.get().state).not.toBe('reading'));
let view: ReturnType<typeof createReporterView>;

beforeEach(() => {
  sessionStorage.clear();
  callAnonymously.mockReset().mockResolvedValue(REPORT);
  history.replaceState(null, '', '/report#token=t1');
  view = createReporterView();
});

describe('the link of a report', () => {
  it('is read once, leaves the address, and confirms only on a press, once', async () => {
    view.start();
    await settled();
    expect(location.pathname + location.search + location.hash).toBe('/report');
    expect(paths()).toEqual(['/api/reports/view/']);
    const confirmed = { ...REPORT, state: 'waiting', can_confirm: false };
    callAnonymously.mockResolvedValue(confirmed);
    await Promise.all([view.confirm(), view.confirm()]);
    expect(view.$view.get()).toEqual({ state: 'ready', report: confirmed, problems: [] });
    expect(paths()).toEqual(['/api/reports/view/', '/api/reports/confirm/']);
    expect(callAnonymously.mock.calls[1]?.[1]).toEqual({ body: { token: 't1' } });
  });

  it.each(['/report', '/report#token=', '/report#other=1', '/report?token=t1'])(
    'is missing in %s, and nothing is asked',
    (address) => {
      history.replaceState(null, '', address);
      view.start();
      expect(view.$view.get()).toEqual({ state: 'link-missing' });
      expect(paths()).toEqual([]);
    },
  );

  it('keeps the report when its confirmation is refused', async () => {
    view.start();
    await settled();
    callAnonymously.mockRejectedValueOnce(
      new ApiError(409, [{ key: 'detail', message: '期限が過ぎました。' }]),
    );
    await view.confirm();
    expect(view.$view.get()).toEqual({ state: 'ready', report: REPORT, problems: ['期限が過ぎました。'] });
  });
});

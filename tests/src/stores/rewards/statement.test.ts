// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import type { Profile } from '#contract/accounts/profile.ts';
import { getStatement } from '#contract/payouts/statements.ts';
import type { Statement } from '#contract/payouts/statements.ts';
import { MEMBER, callApi, useStores } from '../../support/stores.ts';

const { saveCsv } = vi.hoisted(() => ({ saveCsv: vi.fn<(text: string, name: string) => void>() }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/browser/save-file.ts', () => ({ saveCsv }));

const PROFILE = { ...MEMBER } as unknown as Profile;
const toStatement = (month: string): Statement => ({
  month,
  reward: 8,
  downloads: 2,
  sounds: [{ sound_id: 'rain', title: '雨', reward: 8, downloads: 2 }],
});

/** The host's reply. */
let ofProfile: () => Promise<unknown>;
let ofMonth: (month: string) => Promise<Statement>;

async function open(address = '/profile/statement?month=2026-10') {
  vi.resetModules();
  history.replaceState({ index: 3 }, '', address);
  const statement = await import('#src/stores/rewards/statement.ts');
  const { $month, chooseMonth } = await import('#src/stores/rewards/rewards.ts');
  const { $profile } = await import('#src/stores/profile/profile.ts');
  const session = await import('#src/stores/session/session.ts');
  statement.$statementView.listen(() => undefined);
  return {
    ...statement,
    ...session,
    $month,
    $profile,
    chooseMonth,
    view: () => statement.$statementView.get(),
  };
}

const asked = () =>
  callApi.mock.calls.flatMap(([{ path }, options]) =>
    path === getStatement.path ? options.params.month : [],
  );

useStores({ stored: MEMBER });
beforeEach(() => {
  saveCsv.mockReset();
  ofProfile = () => Promise.resolve(PROFILE);
  ofMonth = (month) => Promise.resolve(toStatement(month));
  callApi.mockImplementation((_, options) => (options?.params ? ofMonth(options.params.month) : ofProfile()));
});

describe('the month of the page', () => {
  const nowMs = Date.UTC(2026, 10, 30, 16);

  beforeEach(() => {
    // The month does not wait, and nothing is requested after the test.
    ofProfile = () => new Promise(() => undefined);
  });

  it.each([
    ['the one that the address names', '?month=2025-03', '2025-03'],
    ['the present one in Japan where it names none', '', '2026-12'],
    ['the present one where it names nonsense', '?month=2026-13', '2026-12'],
  ])('is %s', async (_, search, month) => {
    const { $month, openStatement } = await open(`/profile/statement${search}`);
    openStatement(nowMs);
    expect($month.get()).toBe(month);
  });

  it('is the one chosen on the profile, where the address has none', async () => {
    const { $month, chooseMonth, openStatement } = await open('/profile/statement');
    chooseMonth('2026-08');
    openStatement(nowMs);
    expect($month.get()).toBe('2026-08');
  });

  it('updates the address, and keeps the router’s state', async () => {
    const { $month, chooseStatementMonth } = await open();
    chooseStatementMonth('2026-07');
    expect($month.get()).toBe('2026-07');
    expect(location.pathname + location.search).toBe('/profile/statement?month=2026-07');
    expect(history.state).toEqual({ index: 3 });
  });

  it('is among the choices, whatever it is', async () => {
    const { listStatementMonths } = await open();
    const months = [{ month: '2026-11', reward: 0, downloads: 0 }];
    const profile = { ...PROFILE, months };
    expect(listStatementMonths(profile, '2026-10')).toHaveLength(36);
    const old = listStatementMonths(profile, '2020-01');
    expect([old[0], old.at(-2), old.at(-1), old.length]).toEqual(['2026-11', '2023-12', '2020-01', 37]);
    expect(listStatementMonths(undefined, '2020-01')).toEqual(['2020-01']);
    expect(listStatementMonths(undefined, null)).toEqual([]);
  });
});

describe('a statement', () => {
  it('is requested once its owner is known, and for its month only', async () => {
    const { view, openStatement } = await open();
    openStatement();
    expect(view()).toEqual({ state: 'loading', statement: null });
    await vi.waitFor(() => expect(view()).toEqual({ state: 'ready', statement: toStatement('2026-10') }));
    expect(callApi.mock.lastCall).toMatchObject([
      { method: getStatement.method, path: getStatement.path },
      { params: { month: '2026-10' } },
    ]);
    expect(asked()).toEqual(['2026-10']);
  });

  it('stays while the next month loads, and is not overwritten by it', async () => {
    const answers = new Map<string, () => void>();
    ofMonth = (month) =>
      month === '2026-10'
        ? Promise.resolve(toStatement(month))
        : new Promise((resolve) => answers.set(month, () => resolve(toStatement(month))));
    const { view, openStatement, chooseStatementMonth } = await open();
    openStatement();
    await vi.waitFor(() => expect(view().state).toBe('ready'));
    chooseStatementMonth('2026-09');
    expect(view()).toEqual({ state: 'loading', statement: toStatement('2026-10') });
    await vi.waitFor(() => expect(answers.has('2026-09')).toBe(true));
    chooseStatementMonth('2026-08');
    await vi.waitFor(() => expect(answers.has('2026-08')).toBe(true));
    answers.get('2026-08')?.();
    answers.get('2026-09')?.();
    await vi.waitFor(() => expect(view()).toEqual({ state: 'ready', statement: toStatement('2026-08') }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(view()).toEqual({ state: 'ready', statement: toStatement('2026-08') });
  });

  it('that cannot be read shows the reason, no other month’s figures, and can be requested again', async () => {
    ofMonth = () => Promise.reject(new ApiError(503, []));
    const { view, openStatement, reloadStatement } = await open();
    openStatement();
    await vi.waitFor(() => expect(view()).toEqual({ state: 'failed', error: new ApiError(503, []) }));
    ofMonth = (month) => Promise.resolve(toStatement(month));
    reloadStatement();
    expect(view().state).toBe('loading');
    await vi.waitFor(() => expect(view().state).toBe('ready'));
  });

  it('whose owner cannot be read shows an error, and both can be requested again', async () => {
    ofProfile = () => Promise.reject(new ApiError(0, []));
    const { view, openStatement, reloadStatement } = await open();
    openStatement();
    await vi.waitFor(() => expect(view().state).toBe('failed'));
    expect(asked()).toEqual([]);
    ofProfile = () => Promise.resolve(PROFILE);
    reloadStatement();
    await vi.waitFor(() => expect(view().state).toBe('ready'));
  });

  it('is cleared for the next member', async () => {
    const { view, openStatement, forgetSession, rememberUser, $profile } = await open();
    openStatement();
    await vi.waitFor(() => expect(view().state).toBe('ready'));
    forgetSession();
    expect(view()).toEqual({ state: 'loading', statement: null });
    const next = { ...MEMBER, id: 'b', username: '次の人', email: 'b@example.test' };
    localStorage.setItem('token', 'access');
    ofProfile = () => Promise.resolve({ ...PROFILE, ...next });
    let answer: ((statement: Statement) => void) | undefined;
    ofMonth = () => new Promise((resolve) => (answer = resolve));
    rememberUser(next);
    await vi.waitFor(() => expect($profile.get().data?.username).toBe('次の人'));
    openStatement();
    expect(view()).toEqual({ state: 'loading', statement: null });
    await vi.waitFor(() => expect(answer).toBeDefined());
    answer?.({ ...toStatement('2026-10'), reward: 7 });
    await vi.waitFor(() => expect(view()).toMatchObject({ state: 'ready', statement: { reward: 7 } }));
  });

  it('is exported as a file named after its month', async () => {
    const { saveStatement } = await open();
    saveStatement(toStatement('2026-10'));
    const [[text, name] = []] = saveCsv.mock.calls;
    expect(name).toBe('statement-2026-10.csv');
    expect(text).toMatch(/^\ufeff/);
    expect(text).toContain('2026年10月,rain,雨,2,8\r\n');
  });
});

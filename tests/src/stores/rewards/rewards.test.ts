// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { getProfile } from '#contract/accounts/profile.ts';
import type { Profile } from '#contract/accounts/profile.ts';
import { MEMBER, callApi, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

const USER = { ...MEMBER, id: '' };
const MONTHLY = { month_reward_balance: '-', month_total_download_balance: '-' };
const PLAIN = { ...USER, reward_balance: 0, total_download_balance: 0, ...MONTHLY } as unknown as Profile;
const MONTHS = [
  { month: '2026-11', reward: 120, downloads: 12 },
  { month: '2026-10', reward: 0, downloads: 0 },
];
const NOTHING = { reward: '-', downloads: '-' };

/** The host's reply for a month. The profile itself is requested without one. */
let ofMonth: (query: { month: number; year: number }) => Promise<object>;

async function open(profile: Profile = PLAIN) {
  vi.resetModules();
  callApi.mockImplementation(async (_, options) =>
    options?.query ? { ...profile, ...(await ofMonth(options.query)) } : profile,
  );
  const rewards = await import('#src/stores/rewards/rewards.ts');
  const { $profile } = await import('#src/stores/profile/profile.ts');
  const { forgetSession, rememberUser } = await import('#src/stores/session/session.ts');
  rewards.$monthView.listen(() => undefined);
  await vi.waitFor(() => expect($profile.get().data?.username).toBe(profile.username));
  return { ...rewards, $profile, forgetSession, rememberUser };
}

const asked = () => callApi.mock.calls.flatMap(([, options]) => options?.query ?? []);

useStores({ stored: USER });
beforeEach(() => {
  ofMonth = ({ month }) =>
    Promise.resolve({ month_reward_balance: month * 1000, month_total_download_balance: `${month}` });
});

describe('a month', () => {
  it('is unset at first, and nothing is requested', async () => {
    const { $monthView } = await open();
    expect($monthView.get()).toEqual({ state: 'none', earnings: NOTHING });
    expect(asked()).toEqual([]);
  });

  it('is taken from the profile where the host sends months', async () => {
    const { $monthView, chooseMonth } = await open({ ...PLAIN, months: MONTHS });
    chooseMonth('2026-11');
    expect($monthView.get()).toMatchObject({ state: 'ready', earnings: { reward: 120, downloads: 12 } });
    chooseMonth('2026-10');
    expect($monthView.get()).toMatchObject({ state: 'ready', earnings: { reward: 0, downloads: 0 } });
    chooseMonth(null);
    expect($monthView.get()).toEqual({ state: 'none', earnings: NOTHING });
    expect(asked()).toEqual([]);
  });

  it('is requested where it is older than those', async () => {
    const { $monthView, chooseMonth } = await open({ ...PLAIN, months: MONTHS });
    chooseMonth('2025-03');
    await vi.waitFor(() => expect($monthView.get().state).toBe('ready'));
    expect($monthView.get().earnings).toEqual({ reward: 3000, downloads: '3' });
    expect(asked()).toEqual([{ month: 3, year: 2025 }]);
    expect(callApi.mock.lastCall).toMatchObject([{ method: getProfile.method, path: getProfile.path }, {}]);
  });

  it('shows the previous figures until its own arrive', async () => {
    const { $monthView, chooseMonth } = await open();
    chooseMonth('2026-10');
    expect($monthView.get()).toEqual({ state: 'loading', earnings: NOTHING });
    await vi.waitFor(() => expect($monthView.get().state).toBe('ready'));
    const october = $monthView.get().earnings;
    let answer: ((profile: object) => void) | undefined;
    ofMonth = () => new Promise((resolve) => (answer = resolve));
    chooseMonth('2026-09');
    expect($monthView.get()).toEqual({ state: 'loading', earnings: october });
    await vi.waitFor(() => expect(answer).toBeDefined());
    expect($monthView.get()).toEqual({ state: 'loading', earnings: october });
    answer?.({ month_reward_balance: 9, month_total_download_balance: 1 });
    await vi.waitFor(() => expect($monthView.get().state).toBe('ready'));
    expect($monthView.get().earnings).toEqual({ reward: 9, downloads: 1 });
    // Requested once: loaded months are not requested again.
    chooseMonth('2026-10');
    await vi.waitFor(() => expect($monthView.get()).toEqual({ state: 'ready', earnings: october }));
    expect(asked()).toHaveLength(2);
  });

  it('is not overwritten by an older answer', async () => {
    const answers: ((profile: object) => void)[] = [];
    ofMonth = () => new Promise((resolve) => answers.push(resolve));
    const { $monthView, chooseMonth } = await open();
    chooseMonth('2026-10');
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    chooseMonth('2026-09');
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.({ month_reward_balance: 9 });
    answers[0]?.({ month_reward_balance: 10 });
    await vi.waitFor(() => expect($monthView.get().state).toBe('ready'));
    await new Promise((resolve) => setTimeout(resolve));
    expect($monthView.get().earnings.reward).toBe(9);
  });

  it('shows the error, and can be requested again', async () => {
    ofMonth = () => Promise.reject(new ApiError(503, []));
    const { $monthView, chooseMonth, reloadMonth } = await open();
    chooseMonth('2026-10');
    await vi.waitFor(() => expect($monthView.get().state).toBe('failed'));
    expect($monthView.get()).toMatchObject({ earnings: NOTHING, error: expect.any(ApiError) as unknown });
    ofMonth = () => Promise.resolve({ month_reward_balance: 10 });
    reloadMonth();
    expect($monthView.get().state).toBe('loading');
    await vi.waitFor(() => expect($monthView.get()).toMatchObject({ state: 'ready' }));
    expect($monthView.get().earnings.reward).toBe(10);
  });

  it('is unset for the next member, who sees no cached figures', async () => {
    const { $month, $monthView, $profile, chooseMonth, forgetSession, rememberUser } = await open();
    chooseMonth('2026-10');
    await vi.waitFor(() => expect($monthView.get().state).toBe('ready'));
    forgetSession();
    expect($month.get()).toBeNull();
    expect($monthView.get()).toEqual({ state: 'none', earnings: NOTHING });
    const next = { ...USER, username: '次の人', email: 'b@example.test' };
    localStorage.setItem('token', 'access');
    ofMonth = () => Promise.resolve({ month_reward_balance: 7 });
    callApi.mockImplementation(async (_, options) =>
      options?.query ? { ...PLAIN, ...next, ...(await ofMonth(options.query)) } : { ...PLAIN, ...next },
    );
    rememberUser(next);
    await vi.waitFor(() => expect($profile.get().data?.username).toBe('次の人'));
    chooseMonth('2026-10');
    expect($monthView.get()).toEqual({ state: 'loading', earnings: NOTHING });
    await vi.waitFor(() => expect($monthView.get().earnings.reward).toBe(7));
  });
});

describe('the months to choose from', () => {
  const nowMs = Date.UTC(2026, 10, 30, 16);

  it('are three years up to this month in Japan', async () => {
    const { listChoices } = await open();
    const choices = listChoices(PLAIN, nowMs);
    expect(choices).toHaveLength(36);
    expect([choices[0], choices.at(-1)]).toEqual(['2026-12', '2024-01']);
  });

  it('start with the newest that the host reports, whatever the local clock says', async () => {
    const { listChoices } = await open();
    expect(listChoices({ ...PLAIN, months: MONTHS }, Date.UTC(2031, 0))[0]).toBe('2026-11');
    expect(listChoices({ ...PLAIN, months: [] }, nowMs)[0]).toBe('2026-12');
  });

  it.each([
    ['2026-10', ['2026-12', '2026-11', '2026-10']],
    ['2026-12', ['2026-12']],
  ])('start with the month of registration, where the host reports it: %s', async (first_month, months) => {
    const { listChoices } = await open();
    expect(listChoices({ ...PLAIN, first_month }, nowMs)).toEqual(months);
  });

  it.each(['2027-03', 'soon', '2019-01'])(
    'are three years where that is invalid: %s',
    async (first_month) => {
      const { listChoices } = await open();
      expect(listChoices({ ...PLAIN, first_month }, nowMs)).toHaveLength(36);
    },
  );

  it('are over, except the present one', async () => {
    const { isUnderWay } = await open();
    const months = ['2026-12', '2026-11', null] as const;
    expect(months.map((month) => isUnderWay(month, nowMs))).toEqual([true, false, false]);
  });
});

describe('figures', () => {
  it.each([
    [1234, 1234],
    ['1234', 1234],
    [' 1234.50 ', 1234.5],
    ['-5', -5],
    ['-', null],
    ['', null],
    ['1,234', null],
    ['なし', null],
  ])('%j is the number %j', async (figure, number) => {
    const { toNumber } = await open();
    expect(toNumber(figure)).toBe(number);
  });

  it.each<[string, Partial<Profile>, boolean]>([
    ['zeros', { reward_balance: 0, total_download_balance: '0' }, true],
    ['no word', { reward_balance: '-', total_download_balance: '-' }, false],
    ['a balance', { reward_balance: 1, total_download_balance: 0 }, false],
    ['downloads', { reward_balance: 0, total_download_balance: 1 }, false],
    ['a month', { months: MONTHS }, false],
    ['months without any', { months: [{ month: '2026-11', reward: 0, downloads: 0 }] }, true],
  ])('of a member with these figures from the host: %s', async (_, figures, isNothing) => {
    const { hasEarnedNothing } = await open();
    expect(hasEarnedNothing({ ...PLAIN, ...figures })).toBe(isNothing);
  });
});

import { computed } from 'nanostores';
import { type Month, isMonth, listMonths, splitMonth, toMonth } from '../../../contract/values/months.ts';
import { type Profile, getProfile } from '../../../contract/accounts/profile.ts';
import { callApi } from '../../api/browser.ts';
import { $profile } from '../profile/profile.ts';
import { keepPrevious } from '../shared/keep-previous.ts';
import { $memberKey, memberAtom } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';

/** As hosts send it: a number, a text, or `-` for none (spec §2). */
export type Figure = number | string;

/** The figures of one month. */
export interface MonthEarnings {
  readonly reward: Figure;
  readonly downloads: Figure;
}

/** While a month loads, the earnings are those of the previous one. */
export type MonthView =
  | { readonly state: 'none' | 'loading' | 'ready'; readonly earnings: MonthEarnings }
  | { readonly state: 'failed'; readonly earnings: MonthEarnings; readonly error: unknown };

const NO_EARNINGS: MonthEarnings = { reward: '-', downloads: '-' };
export const NO_MONTH: MonthView = { state: 'none', earnings: NO_EARNINGS };
/** Months of the last three years are available. */
const MONTHS_OFFERED = 36;

/** The selected month. */
export const $month = memberAtom<Month | null>(null);

export function chooseMonth(month: Month | null): void {
  $month.set(month);
}

/** A host may give no ids, and data cached for one member must not be shown to the next. */
export const $member = computed($profile, ({ data }) =>
  data ? `${data.id} ${data.username} ${data.email}` : null,
);
/** The month to request from the host: the profile does not contain it. */
const $askedMonth = computed([$month, $profile], (month, { data }) =>
  month === null || data === undefined || findEarnings(data, month) ? null : month,
);

const $asked = memberQuery<{ month: Month; earnings: MonthEarnings }>(['month', $member, $askedMonth], {
  fetcher: async (signal, ...keys) => {
    const month = keys.at(-1) as Month;
    const profile = await callApi(getProfile, { query: splitMonth(month), signal });
    const { month_reward_balance: reward, month_total_download_balance: downloads } = profile;
    return { month, earnings: { reward, downloads } };
  },
});

interface Reading {
  readonly state: MonthView['state'];
  readonly data?: MonthEarnings;
  readonly error?: unknown;
}

/** The selected month, from the profile or from the request. */
const $reading = keepPrevious(
  computed([$month, $profile, $asked], (month, { data: profile }, asked): Reading => {
    if (month === null || profile === undefined) return { state: 'none' };
    const isAsked = asked.data?.month === month;
    const data = findEarnings(profile, month) ?? (isAsked ? asked.data?.earnings : undefined);
    if (data) return { state: 'ready', data };
    const isLoading = asked.error === undefined || asked.loading;
    return isLoading ? { state: 'loading' } : { state: 'failed', error: asked.error };
  }),
  () => $month.get() && $memberKey.get(),
);

/** The figures of the selected month, or the state of the request. */
export const $monthView = computed($reading, ({ state, data = NO_EARNINGS, error }): MonthView => {
  if (state === 'failed') return { state, earnings: NO_EARNINGS, error };
  return state === 'none' ? NO_MONTH : { state, earnings: data };
});

/** Retries after a failure. */
export function reloadMonth(): void {
  $asked.revalidate();
}

/** The selectable months, newest first; none before the membership began, if the host gives its date. */
export function listChoices({ months, first_month }: Profile, nowMs = Date.now()): Month[] {
  const newest = (months?.[0]?.month as Month | undefined) ?? toMonth(nowMs);
  const first = first_month !== undefined && isMonth(first_month) && first_month <= newest ? first_month : '';
  return listMonths(newest, MONTHS_OFFERED).filter((month) => month >= first);
}

/** A month in progress does not add to the balance yet. */
export function isUnderWay(month: Month | null, nowMs = Date.now()): boolean {
  return month === toMonth(nowMs);
}

/** Whether nothing was ever earned: the host must state it; a missing figure is not enough. */
export function hasEarnedNothing(profile: Profile): boolean {
  const figures = [profile.reward_balance, profile.total_download_balance];
  return (
    figures.every((figure) => toNumber(figure) === 0) &&
    (profile.months ?? []).every(({ reward, downloads }) => reward === 0 && downloads === 0)
  );
}

/** The number in a figure, which some hosts send as text; null if there is none. */
export function toNumber(figure: Figure): number | null {
  if (typeof figure === 'number') return figure;
  return /^-?\d+(\.\d+)?$/.test(figure.trim()) ? Number(figure) : null;
}

function findEarnings(profile: Profile, month: Month): MonthEarnings | undefined {
  return profile.months?.find((figures) => figures.month === month);
}

import { computed } from 'nanostores';
import { type Month, isMonth, listMonths, toMonth } from '../../../contract/values/months.ts';
import {
  MONTHS_BEFORE,
  type OwnStatistics,
  type Span,
  getOwnStatistics,
} from '../../../contract/artists/statistics.ts';
import { callApi } from '../../api/browser.ts';
import { saveCsv } from '../../browser/save-file.ts';
import { toPartsCsv, toSoundsCsv } from '../../lib/statistics-csv.ts';
import { keepPrevious } from '../shared/keep-previous.ts';
import { $memberKey, memberAtom } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';

/** The choice: a span, of all sounds or of one. */
export interface StatisticsChoice {
  readonly span: Span;
  /** '': all. */
  readonly sound: string;
}

export type StatisticsView =
  /** The data is still that of the previous choice; null when there was none. */
  | { readonly state: 'loading'; readonly statistics: OwnStatistics | null }
  | { readonly state: 'ready'; readonly statistics: OwnStatistics }
  | { readonly state: 'failed'; readonly error: unknown };

export const $choice = memberAtom<StatisticsChoice | null>(null);

const $key = computed($choice, (choice) => choice && `${choice.span} ${choice.sound}`);

const $asked = keepPrevious(
  memberQuery<{ readonly key: string; readonly statistics: OwnStatistics }>(['statistics', $key], {
    fetcher: async (signal, ...keys) => {
      const key = String(keys.at(-1));
      const [span, sound] = key.split(' ');
      return { key, statistics: await callApi(getOwnStatistics, { query: { span, sound }, signal }) };
    },
  }),
  () => $memberKey.get(),
);

export const $statisticsView = computed([$key, $asked], (key, { data, error, loading }): StatisticsView => {
  if (data && data.key === key) return { state: 'ready', statistics: data.statistics };
  if (error === undefined || loading) return { state: 'loading', statistics: data?.statistics ?? null };
  return { state: 'failed', error };
});

/** Shows what the address names. */
export function openStatistics(): void {
  const search = new URLSearchParams(location.search);
  const span = search.get('span') ?? '';
  $choice.set({ span: span === 'year' || isMonth(span) ? span : 'days', sound: search.get('sound') ?? '' });
}

/** Shows another choice, and writes it to the address. */
export function chooseStatistics(change: Partial<StatisticsChoice>): void {
  const choice = { span: 'days' as const, sound: '', ...$choice.get(), ...change };
  $choice.set(choice);
  const query = new URLSearchParams({
    span: choice.span,
    ...(choice.sound !== '' && { sound: choice.sound }),
  });
  // The router keeps its data in the history state.
  history.replaceState(history.state, '', `?${query.toString()}`);
}

/** The months whose days are there, newest first. */
export function listStatisticsMonths(nowMs = Date.now()): Month[] {
  return listMonths(toMonth(nowMs), MONTHS_BEFORE + 1);
}

export function reloadStatistics(): void {
  $asked.revalidate();
}

/** Saves the statistics as CSV for spreadsheets: by day or month, or by sound. */
export function saveParts(statistics: OwnStatistics): void {
  saveCsv(toPartsCsv(statistics), `statistics-${$choice.get()?.span ?? ''}.csv`);
}

export function saveSounds(statistics: OwnStatistics): void {
  saveCsv(toSoundsCsv(statistics), `statistics-sounds-${$choice.get()?.span ?? ''}.csv`);
}

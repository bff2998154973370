import { computed } from 'nanostores';
import { type Month, isMonth, toMonth } from '../../../contract/values/months.ts';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { type Statement, getStatement } from '../../../contract/payouts/statements.ts';
import { callApi } from '../../api/browser.ts';
import { saveCsv } from '../../browser/save-file.ts';
import { statementPath } from '../../lib/paths.ts';
import { toStatementCsv } from '../../lib/statement-lines.ts';
import { $profile, reloadProfile } from '../profile/profile.ts';
import { keepPrevious } from '../shared/keep-previous.ts';
import { $memberKey } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';
import { $member, $month, chooseMonth, listChoices } from './months.ts';

export type StatementView =
  /** The statement is still that of the previous month; null when there was none. */
  | { readonly state: 'loading'; readonly statement: Statement | null }
  | { readonly state: 'ready'; readonly statement: Statement }
  | { readonly state: 'failed'; readonly error: unknown };

const $askedMonth = computed([$month, $profile], (month, { data }) => (data ? month : null));

const $asked = keepPrevious(
  memberQuery<Statement>(['statement', $member, $askedMonth], {
    fetcher: (signal, ...keys) => callApi(getStatement, { params: { month: String(keys.at(-1)) }, signal }),
  }),
  () => $memberKey.get(),
);

/** The statement of the selected month, or the state of the request. */
export const $statementView = computed([$month, $profile, $asked], (month, profile, asked): StatementView => {
  const { data } = profile;
  if (data === undefined || month === null) {
    if (data || profile.error === undefined || profile.loading) return { state: 'loading', statement: null };
    return { state: 'failed', error: profile.error };
  }
  if (asked.data?.month === month) return { state: 'ready', statement: asked.data };
  if (asked.error === undefined || asked.loading) return { state: 'loading', statement: asked.data ?? null };
  return { state: 'failed', error: asked.error };
});

/** Selects the month named in the page's address, else the one selected last, else the current one. */
export function openStatement(nowMs = Date.now()): void {
  const named = new URLSearchParams(location.search).get('month') ?? '';
  chooseMonth(isMonth(named) ? named : ($month.get() ?? toMonth(nowMs)));
}

/** The selectable months, newest first, including the selected one wherever it is. */
export function listStatementMonths(profile: Profile | undefined, month: Month | null): Month[] {
  const months = profile ? listChoices(profile) : [];
  const isOffered = month === null || months.includes(month);
  return (isOffered ? months : [...months, month]).toSorted().toReversed();
}

/** Selects another month and writes it to the address. */
export function chooseStatementMonth(month: Month): void {
  chooseMonth(month);
  // The router keeps its data in the history state.
  history.replaceState(history.state, '', statementPath(month));
}

/** Retries whichever request failed. */
export function reloadStatement(): void {
  if ($profile.get().data === undefined) reloadProfile();
  else $asked.revalidate();
}

/** Saves a statement as CSV for spreadsheets. */
export function saveStatement(statement: Statement): void {
  saveCsv(toStatementCsv(statement), `statement-${statement.month}.csv`);
}

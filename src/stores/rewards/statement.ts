import { computed } from 'nanostores';
import { type Month, isMonth, toMonth } from '../../../contract/months.ts';
import type { Profile } from '../../../contract/profile.ts';
import { type Statement, getStatement } from '../../../contract/statements.ts';
import { callApi } from '../../api/browser.ts';
import { saveFile } from '../../api/files.ts';
import { hasCapability } from '../../lib/capabilities.ts';
import { statementPath } from '../../lib/paths.ts';
import { toStatementCsv } from '../../lib/statement-lines.ts';
import { $profile, reloadProfile } from '../profile/profile.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';
import { $member, $month, chooseMonth, listChoices } from './months.ts';

export type StatementView =
  /** The statement is still that of the month before; null when there was none. */
  | { readonly state: 'loading'; readonly statement: Statement | null }
  | { readonly state: 'ready'; readonly statement: Statement }
  /** The host keeps none. */
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly error: unknown };

const $askedMonth = computed([$month, $profile], (month, { data }) =>
  data && hasCapability('statements') ? month : null,
);

const $asked = memberQuery<Statement>(['statement', $member, $askedMonth], {
  fetcher: (...keys) => callApi(getStatement, { params: { month: String(keys.at(-1)) } }),
});

const $shown = memberAtom<Statement | null>(null);

/** The statement of the month that is looked at, or how far the asking has come. */
export const $statementView = computed([$month, $profile, $asked], (month, profile, asked): StatementView => {
  const { data } = profile;
  if (!hasCapability('statements')) return { state: 'absent' };
  if (data === undefined || month === null) {
    $shown.set(null);
    if (data || profile.error === undefined || profile.loading) return { state: 'loading', statement: null };
    return { state: 'failed', error: profile.error };
  }
  if (asked.data?.month === month) {
    $shown.set(asked.data);
    return { state: 'ready', statement: asked.data };
  }
  if (asked.error === undefined || asked.loading) return { state: 'loading', statement: $shown.get() };
  return { state: 'failed', error: asked.error };
});

/** Looks at the month that the page's address names, else at the one that was looked at last, or the present one. */
export function openStatement(nowMs = Date.now()): void {
  const named = new URLSearchParams(location.search).get('month') ?? '';
  chooseMonth(isMonth(named) ? named : ($month.get() ?? toMonth(nowMs)));
}

/** The months to choose among, the newest first, with the one that is looked at wherever it lies. */
export function listStatementMonths(profile: Profile | undefined, month: Month | null): Month[] {
  const months = profile ? listChoices(profile) : [];
  const isOffered = month === null || months.includes(month);
  return (isOffered ? months : [...months, month]).toSorted().toReversed();
}

/** Looks at another month, and has the address say so. */
export function chooseStatementMonth(month: Month): void {
  chooseMonth(month);
  // The router keeps its place in the history's state.
  history.replaceState(history.state, '', statementPath(month));
}

/** Asks again after a failure, whatever it was that failed. */
export function reloadStatement(): void {
  if ($profile.get().data === undefined) reloadProfile();
  else $asked.revalidate();
}

/** Hands a statement to the browser's own download, for spreadsheets. */
export function saveStatement(statement: Statement): void {
  const blob = new Blob([toStatementCsv(statement)], { type: 'text/csv;charset=utf-8' });
  saveFile({ blob, name: `statement-${statement.month}.csv` });
}

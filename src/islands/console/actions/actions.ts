import { type StaffAction, listActions } from '../../../../contract/operator/operator.ts';
import { callApi } from '../../../api/browser.ts';
import { saveFile } from '../../../api/files.ts';
import { toCsv } from '../../../../contract/csv.ts';
import { presentError } from '../../../stores/shared/request-errors.ts';
import { load } from '../../../stores/shared/load.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';

export interface ActionList {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly actions: readonly StaffAction[];
  readonly search: string;
  /** The last page in `actions`; 0 when there is none. */
  readonly page: number;
  readonly hasMore: boolean;
  readonly error: unknown;
}

/** Before the first page is read. */
export const EMPTY_ACTION_LIST: ActionList = {
  state: 'loading',
  actions: [],
  search: '',
  page: 0,
  hasMore: false,
  error: null,
};
/** An exported file has this many rows at most. */
const EXPORTED_PAGES_MAX = 200;

/** The record of what the staff did, newest first. */
export const $actionList = memberAtom<ActionList>(EMPTY_ACTION_LIST);

/** Shows the actions that contain a text, from the newest. */
export function searchActions(search: string): Promise<void> {
  return loadActions(search, 1, []);
}

/** Appends older actions. */
export async function showOlderActions(): Promise<void> {
  const { search, page, actions, state } = $actionList.get();
  if (state !== 'loading') await loadActions(search, page + 1, actions);
}

async function loadActions(search: string, page: number, before: readonly StaffAction[]): Promise<void> {
  const loading: ActionList = { ...$actionList.get(), state: 'loading', search };
  await load(
    $actionList,
    loading,
    async (signal) => {
      const { results, has_more: hasMore } = await callApi(listActions, {
        query: toQuery(search, page),
        signal,
      });
      return { state: 'ready', actions: [...before, ...results], search, page, hasMore, error: null };
    },
    (error) => ({ ...loading, state: 'failed', error }),
  );
}

function toQuery(search: string, page: number) {
  return { ...(search !== '' && { search }), page };
}

/** Saves all actions that contain the text as CSV. */
export async function exportActions(): Promise<void> {
  const { search } = $actionList.get();
  try {
    const rows: StaffAction[] = [];
    for (let page = 1; page <= EXPORTED_PAGES_MAX; page += 1) {
      const reply = await callApi(listActions, { query: toQuery(search, page), signal: memberSignal() });
      rows.push(...reply.results);
      if (!reply.has_more) break;
    }
    const text = toCsv([
      ['日時', '担当', '操作', '対象', 'メモ'],
      ...rows.map(({ at, staff, action, subject, note }) => [
        new Date(at).toISOString(),
        staff ?? '',
        action,
        subject,
        note,
      ]),
    ]);
    saveFile({ blob: new Blob([text], { type: 'text/csv;charset=utf-8' }), name: 'operator-actions.csv' });
  } catch (error) {
    presentError(error, { toasts: 'each' });
  }
}

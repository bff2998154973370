import { type StaffAction, listActions } from '../../../contract/operator.ts';
import { callApi } from '../../api/browser.ts';
import { saveFile } from '../../api/files.ts';
import { toCsv } from '../../../contract/csv.ts';
import { presentError } from '../shared/request-errors.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';

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

let calls = 0;

/** Shows the actions that contain a text, from the newest. */
export async function searchActions(search: string): Promise<void> {
  $actionList.set({ ...$actionList.get(), state: 'loading', search });
  await load(search, 1, []);
}

/** Appends older actions. */
export async function showOlderActions(): Promise<void> {
  const { search, page, actions, state } = $actionList.get();
  if (state === 'loading') return;
  $actionList.set({ ...$actionList.get(), state: 'loading' });
  await load(search, page + 1, actions);
}

async function load(search: string, page: number, before: readonly StaffAction[]): Promise<void> {
  calls += 1;
  const call = calls;
  try {
    const reply = await callApi(listActions, { query: toQuery(search, page), signal: memberSignal() });
    // A later search has been typed.
    if (call !== calls) return;
    const actions = [...before, ...reply.results];
    $actionList.set({ state: 'ready', actions, search, page, hasMore: reply.has_more, error: null });
  } catch (error) {
    if (call === calls) $actionList.set({ ...$actionList.get(), state: 'failed', error });
  }
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

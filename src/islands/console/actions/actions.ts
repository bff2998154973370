import {
  ACTIONS_READ_MAX,
  type StaffAction,
  exportActions,
  listActions,
} from '../../../../contract/operator/actions.ts';
import type { ActionKind } from '../../../../contract/operator/action-texts.ts';
import { toDay } from '../../../../contract/values/months.ts';
import { callApi } from '../../../api/browser.ts';
import { saveCsv } from '../../../browser/save-file.ts';
import { formatCount } from '../../../lib/format.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';

/** The filters of the record; '' for no condition. Days are those of a date field, such as `2026-11-30`. */
export interface ActionFilter {
  readonly search: string;
  readonly kind: ActionKind | '';
  readonly staff: string;
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: ActionFilter = { search: '', kind: '', staff: '', from: '', to: '' };

/** The time of the newest action that is not searched, if the search reached its bound. */
export const $unreadAt = memberAtom<number | null>(null);

/** The record of what the staff did, newest first. */
export const actionRecord = createPaged<StaffAction, ActionFilter, string>({
  keepsItems: true,
  idOf: ({ id }) => id,
  async read(filter, cursor, signal) {
    const query = { ...toQuery(filter), ...(cursor !== null && { cursor }) };
    const { unread_at, ...page } = await callApi(listActions, { query, signal });
    if (!signal.aborted) $unreadAt.set(unread_at);
    return page;
  },
});

function toQuery({ search, kind, staff, from, to }: ActionFilter) {
  return {
    ...(search !== '' && { search }),
    ...(kind !== '' && { kind }),
    ...(staff !== '' && { staff }),
    ...(from !== '' && { from: parseDay(from) }),
    ...(to !== '' && { to: parseDay(to) }),
  };
}

function parseDay(date: string): number {
  return toDay(Date.parse(`${date}T00:00:00+09:00`));
}

/** Saves the filtered record as CSV, further pages included. Never throws. */
export async function saveActions(): Promise<void> {
  const filter = actionRecord.$list.get().query ?? NO_FILTER;
  await attempt(async (signal) => {
    const { csv, has_more } = await callApi(exportActions, { query: toQuery(filter), signal });
    saveCsv(csv, 'operator-actions.csv');
    if (has_more) {
      const text = `新しい${formatCount(ACTIONS_READ_MAX)}件の記録から保存しました。それより前の記録は、期間を指定して保存してください`;
      showToast('blank', text);
    }
  });
}

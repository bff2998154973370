import { type StaffAction, listActions } from '../../../../contract/operator/operator.ts';
import { callApi } from '../../../api/browser.ts';
import { saveCsv } from '../../../api/files.ts';
import { toCsv } from '../../../../contract/csv.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createPaged } from '../../../stores/shared/paged.ts';

/** An exported file has this many rows at most. */
const EXPORTED_PAGES_MAX = 200;

/** The record of what the staff did, newest first: the actions that contain a text. */
export const actionRecord = createPaged<StaffAction, string>({
  keepsItems: true,
  idOf: ({ id }) => id,
  async read(search, cursor, signal) {
    const page = cursor ?? 1;
    const { results, has_more } = await callApi(listActions, { query: toQuery(search, page), signal });
    return { results, next: has_more ? page + 1 : null };
  },
});

function toQuery(search: string, page: number) {
  return { ...(search !== '' && { search }), page };
}

/** Saves all actions that contain the text as CSV. */
export async function exportActions(): Promise<void> {
  const search = actionRecord.$list.get().query ?? '';
  await attempt(async (signal) => {
    const rows: StaffAction[] = [];
    for (let page = 1; page <= EXPORTED_PAGES_MAX; page += 1) {
      const reply = await callApi(listActions, { query: toQuery(search, page), signal });
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
    saveCsv(text, 'operator-actions.csv');
  });
}

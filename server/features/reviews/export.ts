import { EXPORT_ROWS_MAX, memberFile, toTimeCell } from '../member-export.ts';
import type { Db } from './tables.ts';

const SUBMISSIONS = {
  personal_info_submissions: '本人確認書類',
  quality_checks: 'クオリティチェック',
} as const;

const STATES = { incoming: '受付中', pending: '審査中', approved: '承認', rejected: '不承認' } as const;

export const SUBMISSIONS_FILE = memberFile(70, '審査の申請', selectSubmissions, [
  ['種類', ({ table }) => SUBMISSIONS[table]],
  ['提出日時', ({ submitted_at }) => toTimeCell(submitted_at)],
  ['結果', ({ state }) => STATES[state]],
  ['決定日時', ({ decided_at }) => toTimeCell(decided_at)],
  ['理由', ({ reason }) => reason],
]);

async function selectSubmissions(db: Db, userId: string) {
  const tables = ['personal_info_submissions', 'quality_checks'] as const;
  const found = [];
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select(['submitted_at', 'state', 'decided_at', 'reason'])
      .where('user_id', '=', userId)
      .where('state', '!=', 'incoming')
      .orderBy('submitted_at', 'desc')
      .limit(EXPORT_ROWS_MAX)
      .execute();
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

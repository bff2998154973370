import type { LedgerEntriesTable, PayoutRequestsTable, Db } from './tables.ts';
import {
  EXPORT_ROWS_MAX,
  EXPORT_WINDOW_ROWS,
  bySeq,
  memberFile,
  toSoundUrl,
  toTimeCell,
} from '../member-export.ts';
import type { MemberFile } from '../member-export.ts';
import { toArtistAccount } from './postings.ts';
import { SOUND_REFERENCE } from './statement-queries.ts';

const ENTRY_KINDS: Readonly<Record<LedgerEntriesTable['kind'], string>> = {
  reward: '報酬',
  'reward-reversed': '報酬の取り消し',
  'transfer-requested': '送金の依頼',
  'transfer-paid': '送金',
  'transfer-refused': '送金依頼の返金',
  'balance-forfeited': '残高の放棄',
};

const PAYOUT_STATES: Readonly<Record<PayoutRequestsTable['state'], string>> = {
  requested: '手続き中',
  paid: '送金済み',
  refused: '却下',
};

export const LEDGER_FILES: readonly MemberFile[] = [
  memberFile(50, '報酬の記録', bySeq(selectEntriesAfter), [
    ['日時', ({ created_at }) => toTimeCell(created_at)],
    ['対象の月', ({ month }) => month],
    ['内容', ({ kind }) => ENTRY_KINDS[kind]],
    [
      '金額（円）',
      ({ to_account, amount }, { userId }) => (to_account === toArtistAccount(userId) ? amount : -amount),
    ],
    ['ダウンロード数', ({ downloads }) => downloads],
    [
      '対象',
      ({ reference }, context) =>
        reference.startsWith(SOUND_REFERENCE)
          ? toSoundUrl(reference.slice(SOUND_REFERENCE.length), context)
          : '',
    ],
  ]),
  memberFile(60, '送金の依頼', selectPayoutsOf, [
    ['依頼日時', ({ created_at }) => toTimeCell(created_at)],
    ['金額（円）', ({ amount }) => amount],
    ['状態', ({ state }) => PAYOUT_STATES[state]],
    ['完了日時', ({ decided_at }) => toTimeCell(decided_at)],
    ['理由', ({ reason }) => reason],
    ['連絡先', ({ email }) => email],
  ]),
];

/** What an account received and gave, each read from its index: a condition with `or` would sort all entries each time. */
function selectEntriesAfter(db: Db, userId: string, after: number) {
  const readSide = (side: 'from_account' | 'to_account') =>
    db
      .selectFrom('ledger_entries')
      .select(['seq', 'kind', 'amount', 'downloads', 'month', 'reference', 'created_at', 'to_account'])
      .where(side, '=', toArtistAccount(userId))
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(EXPORT_WINDOW_ROWS);
  return db
    .selectFrom(readSide('to_account').as('received'))
    .selectAll()
    .unionAll(db.selectFrom(readSide('from_account').as('given')).selectAll())
    .orderBy('seq')
    .limit(EXPORT_WINDOW_ROWS)
    .execute();
}

function selectPayoutsOf(db: Db, userId: string) {
  return db
    .selectFrom('transfer_requests')
    .select(['created_at', 'amount', 'state', 'decided_at', 'reason', 'email'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(EXPORT_ROWS_MAX)
    .execute();
}

import { makeZip } from 'client-zip';
import type { Certificate } from '../../../contract/certificates.ts';
import { BYTE_ORDER_MARK, toCsvRow } from '../../../contract/csv.ts';
import type { Cell } from '../../../contract/csv.ts';
import { CONTENT_ID_TEXTS, MOOD_TEXTS, USE_TEXTS } from '../../../contract/fact-labels.ts';
import { toKeyName } from '../../../contract/music.ts';
import type { MusicalKey } from '../../../contract/music.ts';
import { inWindows } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { SOUND_REFERENCE, toArtistAccount } from '../ledger/ledger.ts';
import * as queries from './export-queries.ts';
import { ENTRY_KINDS, PROFILE_LABELS, README, STATES, SUBMISSIONS } from './export-texts.ts';

type ExportDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'>;
type Rows = AsyncIterable<readonly Cell[]>;

/** A file of the archive, written while it is read. */
interface ExportFile {
  readonly name: string;
  readonly input: AsyncIterable<Uint8Array> | string;
  readonly lastModified: Date;
}

/**
 * A ZIP file with everything that the site stores about a member, as CSV for spreadsheets. It is made while it is sent,
 * a page of rows at a time, so that its size does not matter. Contains no data of others, except the names of artists
 * and sounds that are public.
 */
export function exportOwnData(deps: ExportDeps, userId: string): ReadableStream<Uint8Array> {
  const lastModified = new Date(deps.clock.now());
  const files = toFiles(deps, userId).map(({ name, head, rows }): ExportFile => {
    return { name: `${name}.csv`, input: toCsvBytes(head, rows), lastModified };
  });
  const readme = { name: 'はじめにお読みください.txt', input: README(deps.siteName), lastModified };
  return makeZip([readme, ...files]);
}

async function* toCsvBytes(head: readonly string[], rows: Rows): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = BYTE_ORDER_MARK + toCsvRow(head);
  for await (const row of rows) {
    text += toCsvRow(row);
    if (text.length < CHUNK_CHARS) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

const CHUNK_CHARS = 16_384;

function toFiles({ database: { db }, siteUrl }: ExportDeps, userId: string) {
  const toSoundUrl = (id: string) => `${siteUrl}/sounds/${id}`;
  const file = (name: string, head: readonly string[], rows: Rows) => ({ name, head, rows });
  return [
    file('プロフィール', ['項目', '内容'], readProfile(db, userId)),
    file(
      'サウンド',
      [
        'タイトル',
        '種類',
        '説明',
        'ファイル名',
        '長さ（秒）',
        'サイズ（バイト）',
        '公開',
        'AI制作',
        'ループ可',
        'ボーカル',
        '雰囲気',
        '使いみち',
        'Content ID',
        'BPM',
        'キー',
        'ラウドネス（LUFS）',
        'トゥルーピーク（dBTP）',
        'ダウンロード数',
        'お気に入り数',
        '登録日時',
        '更新日時',
        '非表示の理由',
        '削除日時',
        'ページ',
      ],
      map(
        inWindows(
          0,
          (after) => queries.selectSoundsAfter(db, userId, after),
          ({ seq }) => seq,
        ),
        (sound) => [
          sound.title,
          sound.type,
          sound.description,
          sound.filename,
          sound.duration_ms / 1000,
          sound.audio_size,
          toYes(sound.is_published),
          toYes(sound.is_ai_generated),
          toYes(sound.is_loopable),
          sound.has_vocals === null ? '' : toYes(sound.has_vocals),
          toLabels(MOOD_TEXTS, sound.moods),
          toLabels(USE_TEXTS, sound.licence_uses),
          toLabels(CONTENT_ID_TEXTS, sound.content_id ?? ''),
          sound.effective_bpm ?? '',
          sound.effective_key === null ? '' : toKeyName(sound.effective_key as MusicalKey),
          sound.loudness_lufs ?? '',
          sound.true_peak_dbtp ?? '',
          sound.download_count,
          sound.favorite_count,
          toTime(sound.created_at),
          toTime(sound.updated_at),
          sound.hidden_reason ?? '',
          toTime(sound.deleted_at),
          toSoundUrl(sound.id),
        ],
      ),
    ),
    file(
      'お気に入り',
      ['追加した日時', 'タイトル', 'アーティスト', 'ページ'],
      map(
        inWindows(
          0,
          (after) => queries.selectFavoritesAfter(db, userId, after),
          ({ sound_seq }) => sound_seq,
        ),
        (sound) => [toTime(sound.created_at), sound.title, sound.username, toSoundUrl(sound.id)],
      ),
    ),
    file(
      '報酬の記録',
      ['日時', '対象の月', '内容', '金額（円）', 'ダウンロード数', '対象'],
      map(
        inWindows(
          0,
          (after) => queries.selectEntriesAfter(db, userId, after),
          ({ seq }) => seq,
        ),
        (entry) => [
          toTime(entry.created_at),
          entry.month,
          ENTRY_KINDS[entry.kind],
          entry.to_account === toArtistAccount(userId) ? entry.amount : -entry.amount,
          entry.downloads,
          entry.reference.startsWith(SOUND_REFERENCE)
            ? toSoundUrl(entry.reference.slice(SOUND_REFERENCE.length))
            : '',
        ],
      ),
    ),
    file(
      '送金の依頼',
      ['依頼日時', '金額（円）', '状態', '完了日時', '理由', '連絡先'],
      list(
        () => queries.selectTransfers(db, userId),
        (each) => [
          toTime(each.created_at),
          each.amount,
          STATES[each.state],
          toTime(each.decided_at),
          each.reason,
          each.email,
        ],
      ),
    ),
    file(
      '審査の申請',
      ['種類', '提出日時', '結果', '決定日時', '理由'],
      list(
        () => queries.selectSubmissions(db, userId),
        (each) => [
          SUBMISSIONS[each.table],
          toTime(each.submitted_at),
          STATES[each.state],
          toTime(each.decided_at),
          each.reason,
        ],
      ),
    ),
    file(
      'お問い合わせ',
      ['日時', 'お名前', 'メールアドレス', '内容'],
      list(
        () => queries.selectMessages(db, userId),
        (each) => [toTime(each.created_at), each.name, each.email, each.message],
      ),
    ),
    file(
      'ログイン中の端末',
      ['ログインした日時', 'パスワードを入力した日時', '最後に使った日時', '有効期限'],
      list(
        () => queries.selectSessions(db, userId),
        (each) => [each.created_at, each.authenticated_at, each.rotated_at, each.expires_at].map(toTime),
      ),
    ),
    file(
      '最近のダウンロード',
      ['日時', 'タイトル', 'ページ'],
      list(
        () => queries.selectDownloads(db, userId),
        (each) => [toTime(each.created_at), each.title ?? '', toSoundUrl(each.sound_id)],
      ),
    ),
    file(
      '利用証明書',
      ['日時', 'タイトル', 'アーティスト', 'ページ'],
      map(
        inWindows(
          { issued_at: 0, id: '' },
          (after) => queries.selectCertificatesAfter(db, userId, after),
          ({ issued_at, id }) => ({ issued_at, id }),
        ),
        ({ issued_at, id, body }) => {
          const { sound_title, artist } = JSON.parse(body) as Certificate;
          return [toTime(issued_at), sound_title, artist, `${siteUrl}/certificates/${id}`];
        },
      ),
    ),
  ];
}

async function* readProfile(db: Parameters<typeof queries.selectOwner>[0], userId: string): Rows {
  const owner = await queries.selectOwner(db, userId);
  if (owner === undefined) return;
  for (const [column, label] of PROFILE_LABELS) yield [label, owner[column]];
  yield ['登録した日時', toTime(owner.created_at)];
  yield ['クオリティチェック', owner.is_verified === 1 ? '完了' : '未完了'];
  yield ['本人確認', STATES[owner.personal_info_status]];
  const factor = await queries.selectSecondFactor(db, userId);
  if (factor) yield ['2段階認証', `${toTime(factor.created_at)}に設定`];
  for (const { username_key, since } of await queries.selectFormerNames(db, userId))
    yield ['以前のユーザー名', `${username_key}（${toTime(since)}まで）`];
}

async function* map<Row>(
  windows: AsyncIterable<readonly Row[]>,
  toCells: (row: Row) => readonly Cell[],
): Rows {
  for await (const rows of windows) for (const row of rows) yield toCells(row);
}

/** Reads when the file before it has been sent. */
async function* list<Row>(read: () => Promise<Row[]>, toCells: (row: Row) => readonly Cell[]): Rows {
  for (const row of await read()) yield toCells(row);
}

/** As `formatDateTime`, which makes a formatter for each call: too slow for a column of thousands. */
const TIME = new Intl.DateTimeFormat('ja-JP', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Asia/Tokyo',
});

function toTime(timeMs: number | null): string {
  return timeMs === null || timeMs === 0 ? '' : TIME.format(timeMs);
}

/** The labels of values that are separated by spaces. */
function toLabels(labels: Readonly<Record<string, string>>, values: string): string {
  return values
    .split(' ')
    .map((value) => labels[value] ?? value)
    .join('・');
}

function toYes(flag: number): string {
  return flag === 1 ? 'はい' : 'いいえ';
}

import { makeZip } from 'client-zip';
import type { Certificate } from '../../../contract/certificates.ts';
import { BYTE_ORDER_MARK, toCsvRow } from '../../../contract/csv.ts';
import type { Cell } from '../../../contract/csv.ts';
import { CONTENT_ID_TEXTS, MOOD_TEXTS, USE_TEXTS } from '../../../contract/fact-labels.ts';
import { toKeyName } from '../../../contract/music.ts';
import type { MusicalKey } from '../../../contract/music.ts';
import { GENRE_SEPARATOR, SOUND_COLUMNS } from '../../../contract/sound-columns.ts';
import { inWindows } from '../../platform/database/statements/windows.ts';
import type { Platform } from '../../platform/http/context.ts';
import { SOUND_REFERENCE } from '../ledger/statement-queries.ts';
import { toArtistAccount } from '../ledger/postings.ts';
import * as queries from './export-queries.ts';
import { ENTRY_KINDS, PROFILE_LABELS, README, STATES, SUBMISSIONS } from './export-texts.ts';

type ExportDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'>;
type Windows<Row> = AsyncIterable<readonly Row[]>;

/** A column of a file: its label, and its cell in a row. */
type Column<Row> = readonly [label: string, toCell: (row: Row) => Cell];

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
  const files = toFiles(deps, userId).map(({ name, input }): ExportFile => ({ name, input, lastModified }));
  const readme = { name: 'はじめにお読みください.txt', input: README(deps.siteName), lastModified };
  return makeZip([readme, ...files]);
}

async function* toCsvBytes<Row>(
  windows: Windows<Row>,
  columns: readonly Column<Row>[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = BYTE_ORDER_MARK + toCsvRow(columns.map(([label]) => label));
  for await (const rows of windows) {
    for (const row of rows) {
      text += toCsvRow(columns.map(([, toCell]) => toCell(row)));
      if (text.length < CHUNK_CHARS) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}

const CHUNK_CHARS = 16_384;

function toFile<Row>(name: string, windows: Windows<Row>, columns: readonly Column<Row>[]) {
  return { name: `${name}.csv`, input: toCsvBytes(windows, columns) };
}

function toFiles({ database: { db }, siteUrl }: ExportDeps, userId: string) {
  const toSoundUrl = (id: string) => `${siteUrl}/sounds/${id}`;
  const sounds = inWindows(
    0,
    (after) => queries.selectSoundsAfter(db, userId, after),
    ({ seq }) => seq,
  );
  const soundChanges = inWindows(
    0,
    (after) => queries.selectSoundChangesAfter(db, userId, after),
    ({ seq }) => seq,
  );
  const favorites = inWindows(
    0,
    (after) => queries.selectFavoritesAfter(db, userId, after),
    ({ sound_seq }) => sound_seq,
  );
  const entries = inWindows(
    0,
    (after) => queries.selectEntriesAfter(db, userId, after),
    ({ seq }) => seq,
  );
  const certificates = inWindows(
    { issued_at: 0, id: '' },
    (after) => queries.selectCertificatesAfter(db, userId, after),
    ({ issued_at, id }) => ({ issued_at, id }),
  );
  return [
    toFile('プロフィール', readProfile(db, userId), [
      ['項目', ([label]) => label],
      ['内容', ([, content]) => content],
    ]),
    toFile('サウンド', sounds, [
      [SOUND_COLUMNS.title[0], ({ title }) => title],
      ['種類', ({ type }) => type],
      [SOUND_COLUMNS.description[0], ({ description }) => description],
      [SOUND_COLUMNS.filename[0], ({ filename }) => filename],
      [SOUND_COLUMNS.genres[0], ({ sub_genres }) => sub_genres.join(GENRE_SEPARATOR)],
      ['長さ（秒）', ({ duration_ms }) => duration_ms / 1000],
      ['サイズ（バイト）', ({ audio_size }) => audio_size],
      ['公開', ({ is_published }) => toYes(is_published)],
      ['AI制作', ({ is_ai_generated }) => toYes(is_ai_generated)],
      ['ループ可', ({ is_loopable }) => toYes(is_loopable)],
      ['ボーカル', ({ has_vocals }) => (has_vocals === null ? '' : toYes(has_vocals))],
      ['雰囲気', ({ moods }) => toLabels(MOOD_TEXTS, moods)],
      ['使いみちの回答', ({ licence_uses }) => toLabels(USE_TEXTS, licence_uses, '、')],
      ['Content ID', ({ content_id }) => toLabels(CONTENT_ID_TEXTS, content_id ?? '')],
      ['BPM', ({ effective_bpm }) => effective_bpm ?? ''],
      ['キー', ({ effective_key: key }) => (key === null ? '' : toKeyName(key as MusicalKey))],
      ['ラウドネス（LUFS）', ({ loudness_lufs }) => loudness_lufs ?? ''],
      ['トゥルーピーク（dBTP）', ({ true_peak_dbtp }) => true_peak_dbtp ?? ''],
      ['ダウンロード数', ({ download_count }) => download_count],
      ['お気に入り数', ({ favorite_count }) => favorite_count],
      ['登録日時', ({ created_at }) => toTime(created_at)],
      ['更新日時', ({ updated_at }) => toTime(updated_at)],
      ['非表示の理由', ({ hidden_reason }) => hidden_reason ?? ''],
      ['削除日時', ({ deleted_at }) => toTime(deleted_at)],
      ['ページ', ({ id }) => toSoundUrl(id)],
    ]),
    toFile('サウンドの変更の記録', soundChanges, [
      ['変更日時', ({ changed_at }) => toTime(changed_at)],
      ['サウンド', ({ title }) => title],
      ['変更前の内容（JSON）', ({ before }) => before],
    ]),
    toFile('お気に入り', favorites, [
      ['追加した日時', ({ created_at }) => toTime(created_at)],
      ['タイトル', ({ title }) => title],
      ['アーティスト', ({ username }) => username],
      ['ページ', ({ id }) => toSoundUrl(id)],
    ]),
    toFile('報酬の記録', entries, [
      ['日時', ({ created_at }) => toTime(created_at)],
      ['対象の月', ({ month }) => month],
      ['内容', ({ kind }) => ENTRY_KINDS[kind]],
      ['金額（円）', ({ to_account, amount }) => (to_account === toArtistAccount(userId) ? amount : -amount)],
      ['ダウンロード数', ({ downloads }) => downloads],
      [
        '対象',
        ({ reference }) =>
          reference.startsWith(SOUND_REFERENCE) ? toSoundUrl(reference.slice(SOUND_REFERENCE.length)) : '',
      ],
    ]),
    toFile(
      '送金の依頼',
      once(() => queries.selectTransfers(db, userId)),
      [
        ['依頼日時', ({ created_at }) => toTime(created_at)],
        ['金額（円）', ({ amount }) => amount],
        ['状態', ({ state }) => STATES[state]],
        ['完了日時', ({ decided_at }) => toTime(decided_at)],
        ['理由', ({ reason }) => reason],
        ['連絡先', ({ email }) => email],
      ],
    ),
    toFile(
      '審査の申請',
      once(() => queries.selectSubmissions(db, userId)),
      [
        ['種類', ({ table }) => SUBMISSIONS[table]],
        ['提出日時', ({ submitted_at }) => toTime(submitted_at)],
        ['結果', ({ state }) => STATES[state]],
        ['決定日時', ({ decided_at }) => toTime(decided_at)],
        ['理由', ({ reason }) => reason],
      ],
    ),
    toFile(
      'お問い合わせ',
      once(() => queries.selectMessages(db, userId)),
      [
        ['日時', ({ created_at }) => toTime(created_at)],
        ['お名前', ({ name }) => name],
        ['メールアドレス', ({ email }) => email],
        ['内容', ({ message }) => message],
      ],
    ),
    toFile(
      'ログイン中の端末',
      once(() => queries.selectSessions(db, userId)),
      [
        ['ログインした日時', ({ created_at }) => toTime(created_at)],
        ['パスワードを入力した日時', ({ authenticated_at }) => toTime(authenticated_at)],
        ['最後に使った日時', ({ rotated_at }) => toTime(rotated_at)],
        ['有効期限', ({ expires_at }) => toTime(expires_at)],
        ['端末', ({ device }) => device],
        ['ネットワーク', ({ network }) => network],
      ],
    ),
    toFile(
      '最近のダウンロード',
      once(() => queries.selectDownloads(db, userId)),
      [
        ['日時', ({ created_at }) => toTime(created_at)],
        ['タイトル', ({ title }) => title ?? ''],
        ['ページ', ({ sound_id }) => toSoundUrl(sound_id)],
      ],
    ),
    toFile('利用証明書', certificates, [
      ['日時', ({ issued_at }) => toTime(issued_at)],
      ['タイトル', ({ body }) => toCertificate(body).sound_title],
      ['アーティスト', ({ body }) => toCertificate(body).artist],
      ['ページ', ({ id }) => `${siteUrl}/certificates/${id}`],
    ]),
    toFile(
      '使用報告',
      once(() => queries.selectToldUses(db, userId)),
      [
        ['日時', ({ created_at }) => toTime(created_at)],
        ['作品名', ({ title }) => title],
        ['作品のURL', ({ address }) => address],
        ['ひとこと', ({ message }) => message],
        ['サウンド', ({ sound_id }) => toSoundUrl(sound_id)],
      ],
    ),
  ];
}

async function* readProfile(
  db: Parameters<typeof queries.selectOwner>[0],
  userId: string,
): Windows<readonly [label: string, content: string]> {
  const owner = await queries.selectOwner(db, userId);
  if (owner === undefined) return;
  const factor = await queries.selectSecondFactor(db, userId);
  const formerNames = await queries.selectFormerNames(db, userId);
  yield [
    ...PROFILE_LABELS.map(([column, label]) => [label, owner[column]] as const),
    ['登録した日時', toTime(owner.created_at)],
    ['クオリティチェック', owner.is_verified === 1 ? '完了' : '未完了'],
    ['本人確認', STATES[owner.personal_info_status]],
    ...(factor ? [['2段階認証', `${toTime(factor.created_at)}に設定`] as const] : []),
    ...formerNames.map(
      ({ username_key, since }) => ['以前のユーザー名', `${username_key}（${toTime(since)}まで）`] as const,
    ),
  ];
}

/** Reads when the file before it has been sent. */
async function* once<Row>(read: () => Promise<readonly Row[]>): Windows<Row> {
  yield await read();
}

const toCertificate = (body: string) => JSON.parse(body) as Certificate;

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
function toLabels(labels: Readonly<Record<string, string>>, values: string, comma = '・'): string {
  return values
    .split(' ')
    .map((value) => labels[value] ?? value)
    .join(comma);
}

function toYes(flag: number): string {
  return flag === 1 ? 'はい' : 'いいえ';
}

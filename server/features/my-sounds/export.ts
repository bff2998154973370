import { toKeyName } from '../../../contract/sounds/music.ts';
import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { GENRE_SEPARATOR, SOUND_COLUMNS } from '../../../contract/sounds/sound-columns.ts';
import { FIELD_COLUMNS, SOUND_FIELDS, forEachField, toYes } from '../catalogue/sound-fields.ts';
import type { FieldName } from '../catalogue/sound-fields.ts';
import type { FieldColumns } from '../catalogue/tables.ts';
import { EXPORT_WINDOW_ROWS, bySeq, memberFile, toSoundUrl, toTimeCell } from '../member-export.ts';
import type { MemberFile } from '../member-export.ts';
import type { Db } from './tables.ts';

const FIELD_CELLS = Object.values(
  forEachField<Record<FieldName, readonly [string, (row: FieldColumns) => string]>>((name) => [
    SOUND_FIELDS[name].exportLabel ?? SOUND_FIELDS[name].label,
    (row) => SOUND_FIELDS[name].toCell(row[name]),
  ]),
);

export const MY_SOUNDS_FILES: readonly MemberFile[] = [
  memberFile(20, 'サウンド', bySeq(selectSoundsAfter), [
    [SOUND_COLUMNS.title[0], ({ title }) => title],
    ['種類', ({ type }) => type],
    [SOUND_COLUMNS.description[0], ({ description }) => description],
    [SOUND_COLUMNS.filename[0], ({ filename }) => filename],
    [SOUND_COLUMNS.genres[0], ({ sub_genres }) => sub_genres.join(GENRE_SEPARATOR)],
    ['長さ（秒）', ({ duration_ms }) => duration_ms / 1000],
    ['サイズ（バイト）', ({ audio_size }) => audio_size],
    ['公開', ({ is_published }) => toYes(is_published)],
    ...FIELD_CELLS,
    ['BPM', ({ effective_bpm }) => effective_bpm ?? ''],
    ['キー', ({ effective_key: key }) => (key === null ? '' : toKeyName(key as MusicalKey))],
    ['ラウドネス（LUFS）', ({ loudness_lufs }) => loudness_lufs ?? ''],
    ['トゥルーピーク（dBTP）', ({ true_peak_dbtp }) => true_peak_dbtp ?? ''],
    ['ダウンロード数', ({ download_count }) => download_count],
    ['お気に入り数', ({ favorite_count }) => favorite_count],
    ['登録日時', ({ created_at }) => toTimeCell(created_at)],
    ['更新日時', ({ updated_at }) => toTimeCell(updated_at)],
    ['非表示の理由', ({ hidden_reason }) => hidden_reason ?? ''],
    ['削除日時', ({ deleted_at }) => toTimeCell(deleted_at)],
    ['ページ', ({ id }, context) => toSoundUrl(id, context)],
  ]),
  memberFile(30, 'サウンドの変更の記録', bySeq(selectSoundChangesAfter), [
    ['変更日時', ({ changed_at }) => toTimeCell(changed_at)],
    ['サウンド', ({ title }) => title],
    ['変更前の内容（JSON）', ({ before }) => before],
  ]),
];

/** With the names of their sub-genres. */
async function selectSoundsAfter(db: Db, userId: string, after: number) {
  const sounds = await db
    .selectFrom('sounds')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .leftJoin('sound_findings', 'sound_findings.sound_seq', 'sounds.seq')
    .select(['sound_features.effective_bpm', 'sound_features.effective_key'])
    .select(['sound_findings.loudness_lufs', 'sound_findings.true_peak_dbtp'])
    .select(['sounds.seq', 'sounds.id', 'sounds.title', 'sounds.description', 'sounds.filename'])
    .select(['sounds.duration_ms', 'sounds.audio_size', 'sounds.is_published'])
    .select(FIELD_COLUMNS)
    .select(['sounds.download_count', 'sounds.favorite_count', 'sounds.created_at', 'sounds.updated_at'])
    .select(['sounds.hidden_reason', 'sounds.deleted_at', 'sound_types.name as type'])
    .where('sounds.artist_id', '=', userId)
    .where('sounds.seq', '>', after)
    .orderBy('sounds.seq')
    .limit(EXPORT_WINDOW_ROWS)
    .execute();
  if (sounds.length === 0) return [];
  const names = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sub_genre_id')
    .select(['sound_seq', 'sub_genres.name'])
    .where(
      'sound_seq',
      'in',
      sounds.map(({ seq }) => seq),
    )
    .orderBy('sub_genres.id')
    .execute();
  const bySound = Map.groupBy(names, ({ sound_seq }) => sound_seq);
  return sounds.map((sound) => ({
    ...sound,
    sub_genres: bySound.get(sound.seq)?.map(({ name }) => name) ?? [],
  }));
}

/** What changes of sounds replaced, of the last seven days. */
function selectSoundChangesAfter(db: Db, userId: string, after: number) {
  return db
    .selectFrom('sound_changes')
    .innerJoin('sounds', 'sounds.seq', 'sound_changes.sound_seq')
    .select(['sound_changes.seq', 'sound_changes.before', 'sound_changes.changed_at', 'sounds.title'])
    .where('sound_changes.artist_id', '=', userId)
    .where('sound_changes.seq', '>', after)
    .orderBy('sound_changes.seq')
    .limit(EXPORT_WINDOW_ROWS)
    .execute();
}

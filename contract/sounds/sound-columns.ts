/**
 * The columns of a table of sounds that can be edited in a spreadsheet: an artist's export writes them under the first
 * name, and まとめて編集 reads them under each.
 */
export const SOUND_COLUMNS = {
  filename: ['ファイル名', 'ファイル', 'filename', 'file'],
  title: ['タイトル', '題名', 'title'],
  description: ['説明', 'description'],
  genres: ['サブジャンル', 'ジャンル', 'タグ', 'sub_genres', 'genres', 'tags'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type SoundColumn = keyof typeof SOUND_COLUMNS;

/** Between the names of sub-genres in one cell. */
export const GENRE_SEPARATOR = '、';

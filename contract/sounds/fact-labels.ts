import type { ContentIdState, LicenceUse, Mood } from './sound-facts.ts';

/** What people read for the answers of an artist, on pages and in the export of the own data. */

export const MOOD_TEXTS: Readonly<Record<Mood, string>> = {
  bright: '明るい',
  calm: '穏やか',
  sad: '切ない',
  nostalgic: '懐かしい',
  mysterious: '神秘的',
  tense: '緊張感',
  scary: '怖い',
  brave: '勇ましい',
  grand: '壮大',
  comical: 'コミカル',
  cute: 'かわいい',
  cool: 'かっこいい',
};

export const USE_TEXTS: Readonly<Record<LicenceUse, string>> = {
  video: '動画',
  streaming: '配信',
  games: 'ゲーム',
  apps: 'アプリ',
  commercial: '商用',
  uncredited: 'クレジット不要',
  venues: '店舗・催し',
  broadcast: '放送・CM',
  songs: '楽曲の素材',
};

export const CONTENT_ID_TEXTS: Readonly<Record<ContentIdState, string>> = {
  none: '登録していない',
  registered: '登録している',
};

import { FactCountSchema, countFacts } from '../../../contract/sounds/fact-counts.ts';
import { GenreSchema, SoundTypeSchema, SubGenreSchema } from '../../../contract/sounds/genres.ts';
import { DEFAULT_LICENCE } from '../../../contract/downloads/licence.ts';
import { MUSICAL_KEYS } from '../../../contract/sounds/music.ts';
import {
  ReplacedWordSchema,
  SearchNotesSchema,
  WordFactSchema,
} from '../../../contract/search/search-notes.ts';
import {
  CompletedSoundSchema,
  SearchSuggestionSchema,
  completeSearch,
  suggestSearches,
} from '../../../contract/search/search-suggestions.ts';
import {
  MappedArtistSchema,
  MappedSoundSchema,
  getSiteMap,
  getSiteMapPart,
} from '../../../contract/site/site-map.ts';
import {
  CONTENT_ID_STATES,
  LICENCE_USES,
  MOODS,
  SOUND_MOODS_MAX,
} from '../../../contract/sounds/sound-facts.ts';
import { SoundFindingsSchema } from '../../../contract/sounds/sound-findings.ts';
import {
  SoundListSchema,
  SoundSchema,
  listSimilar,
  toggleFavorite,
} from '../../../contract/sounds/sounds.ts';
import { choice, flag, integer, list, number, part, picture, reply, text, time } from '../api-docs/field.ts';

const USES_EXAMPLE = [...DEFAULT_LICENCE.uses, 'venues'];
const PEAKS_EXAMPLE = '0123456789abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba987';

const next = text('次のページのアドレス。最後のページでは null', '/api/sounds/?page=2&page_size=20', {
  format: 'uri-reference',
});

export const TRUTHS = ['true', 'false'];

/** What artists send of the fields that they give, see `SOUND_FIELDS`. */
export const SOUND_CHANGE_FIELDS = {
  is_ai_generated: choice('AI生成かどうか', TRUTHS),
  is_loopable: choice('つなぎ目なく繰り返せるかどうか', TRUTHS),
  has_vocals: choice('ボーカルがあるかどうか。空の値は未回答', ['', ...TRUTHS], 'false'),
  moods: list(
    `雰囲気。${SOUND_MOODS_MAX}つまで繰り返せる。空の値を1つ送るとすべて外れる`,
    ['calm', 'nostalgic'],
    { enum: ['', ...MOODS] },
  ),
  licence_uses: list(
    '追加で認める用途。site-config の licence_uses から選び、繰り返せる。ほかの用途は送っても変わらない。空の値を1つ送るとすべて外れる',
    ['venues', 'broadcast'],
    { enum: ['', ...LICENCE_USES] },
  ),
  content_id: choice('Content IDに登録しているかどうか。空の値は未回答', ['', ...CONTENT_ID_STATES], 'none'),
};

/** Sounds, as calls find them. */
export const SOUND_COMPONENTS = {
  Sound: reply('サウンド', SoundSchema, {
    id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
    title: text('タイトル', '雨上がりの朝'),
    description: text('説明。空のことがある', 'ピアノとギターの静かな曲です。'),
    filename: text('ファイル名', 'ame-agari.mp3'),
    file_url: text(
      '再生するファイルのアドレス。非公開のサウンドでは期限がある',
      '/media/sounds/ZtKD74yLHGTP7uU0/5f2a9c10.mp3',
      { format: 'uri-reference' },
    ),
    thumbnail_url: picture('サムネイル'),
    is_published: flag('公開中かどうか'),
    is_editable: flag('呼び出した会員が変更できるかどうか', false),
    is_ai_generated: flag('AI生成かどうか', false),
    is_favorited: flag('呼び出した会員のお気に入りかどうか', false),
    sub_genres: list('サブジャンルのid', ['3', '17']),
    download_count: integer('ダウンロードの数', 128),
    favorite_count: integer('お気に入りの数', 24),
    artist_name: text('アーティストのユーザー名', 'kazami'),
    user_profile_picture: picture('アーティストの画像'),
    is_loopable: flag('つなぎ目なく繰り返せるかどうか', false),
    has_vocals: flag('ボーカルがあるかどうか。未回答のときは送らない', false),
    moods: list('雰囲気', ['calm', 'nostalgic'], { enum: MOODS }),
    licence_uses: list(
      '使ってよい用途。サイトの利用条件が認めるものと、アーティストが追加で認めたもの',
      USES_EXAMPLE,
      {
        enum: LICENCE_USES,
      },
    ),
    added_uses: list('licence_uses のうち、アーティストが追加で認めたもの', ['venues'], {
      enum: LICENCE_USES,
    }),
    content_id: choice('Content IDに登録しているかどうか。未回答のときは送らない', CONTENT_ID_STATES),
    type: text('サウンドの種類のid', '1'),
    is_music: flag('音楽かどうか。効果音の種類のサウンドは false', true),
    duration_ms: integer('長さ（ミリ秒）', 93_500),
    peaks: text('波形。1文字が1本の棒で、0（無音）から z（最大）まで。測る前は空', PEAKS_EXAMPLE, {
      pattern: '^[0-9a-z]*$',
    }),
    loudness_lufs: number('平均の音量（LUFS）。測る前と、無音や0.4秒未満のときは送らない', -14.2),
    true_peak_dbtp: number('トゥルーピーク（dBTP）。測る前と、無音のときは送らない', -1.1),
    mime_type: text('ファイルの形式', 'audio/mpeg'),
    size_bytes: integer('ファイルの大きさ（バイト）', 2_244_000),
    bit_rate_kbps: integer('ビットレート（kbps）。わからないときは0', 192),
    sample_rate_hz: integer('サンプリング周波数（Hz）。わからないときは0', 44_100),
    created_at: time('追加した日時'),
    updated_at: time('アーティストが最後に変えた日時'),
    bpm: number('テンポ（BPM）。わからないときは送らない', 92.5),
    is_bpm_estimated: flag('テンポが、アーティストの入力ではなく推定かどうか。bpm とともに送る'),
    key: text('キー。わからないときは送らない', 'F#m', { enum: MUSICAL_KEYS }),
    is_key_estimated: flag('キーが、アーティストの入力ではなく推定かどうか。key とともに送る'),
    has_similar: flag('確かに音の似たサウンドがあるときだけ、true を送る'),
    share_picture_url: text(
      'リンクを共有するときの画像（1200×630）。公開中の1つのサウンドを読むときだけ送る',
      '/media/share/sounds/ZtKD74yLHGTP7uU0/k3Jx9_.jpg',
      { format: 'uri-reference' },
    ),
    findings: part('音の問題の候補。測ったあとに、本人だけに送る'),
    hidden_reason: text(
      '運営が非公開にした理由。そのあいだ、本人だけに送る',
      '権利者からの申し立てがありました。',
    ),
  }),
  SoundPage: reply('サウンドの一覧の1ページ', SoundListSchema, {
    results: part('このページのサウンド'),
    next,
    count: integer('当てはまるサウンドの数。2,000で数えるのをやめる', 342),
    count_is_capped: flag('数が count より多いことがあるかどうか', false),
    search_notes: part('検索の言葉の扱い。伝えることがあるときだけ送る'),
  }),
  SearchNotes: reply('検索が言葉をどう扱ったか', SearchNotesSchema, {
    facts: part('条件として読んだ言葉'),
    replaced: part('見つからず、ほかの言葉に替えたもの'),
    left_out: list('見つからず、外した言葉', ['鵺'], { type: 'string' }),
    is_partial: flag('一部の言葉だけに合うサウンドを含むかどうか', false),
  }),
  WordFact: reply(
    '条件として読んだ言葉。サウンドには、値のどれか、または言葉そのものがある',
    WordFactSchema,
    {
      word: text('言葉', '60秒'),
      name: text('条件のパラメーター', 'length'),
      values: list('条件の値', ['30-60', '60-180'], { type: 'string' }),
    },
  ),
  ReplacedWord: reply('替えた言葉', ReplacedWordSchema, {
    word: text('入力された言葉', '刀'),
    by: text('代わりに探した言葉', '剣'),
    why: choice('より広い意味の言葉（broader）か、近いつづりの言葉（near）', ['broader', 'near']),
  }),
  SoundFindings: reply('測った音の、問題の候補。公開を妨げない', SoundFindingsSchema, {
    silent_head_ms: integer('始めの無音の長さ（ミリ秒）', 0),
    is_silent: flag('全体が無音かどうか。古い測定では送らない', false),
    clips_ms: list('音割れの始まり（ミリ秒）。始めの20か所', [12_400, 31_250], {
      type: 'integer',
      minimum: 0,
    }),
    clip_count: integer('音割れの数', 2),
    gaps_ms: list('読み取れずに取り除いた場所（ミリ秒）。ないときは送らない', [1_254], {
      type: 'integer',
      minimum: 0,
    }),
    is_tail_cut: flag('終わりが途切れているかどうか', false),
    loudness_lufs: number('平均の音量（LUFS）。無音や0.4秒未満のときは null', -14.2),
    true_peak_dbtp: number('トゥルーピーク（dBTP）。無音のときは null。古い測定では送らない', -1.1),
  }),
  SimilarSounds: reply('音の似たサウンド', listSimilar.reply, {
    results: part('似ている順のサウンド'),
    sure_count: integer(
      'results のうち、はじめから何件が確かに似ているか。残りは近いかもしれないサウンド',
      3,
    ),
  }),
};

/** What sounds are found by. */
export const SEARCH_COMPONENTS = {
  FavoriteState: reply('お気に入りの状態', toggleFavorite.reply, {
    is_favorited: flag('いま、お気に入りかどうか'),
    favorite_count: integer('サウンドのお気に入りの数', 25),
  }),
  SoundType: reply('サウンドの種類', SoundTypeSchema, {
    id: text('サウンドの種類のid', '1'),
    name: text('名前', 'BGM'),
    icon: text('アイコンの名前。空のことがある', 'music'),
  }),
  Genre: reply('ジャンル', GenreSchema, {
    id: text('ジャンルのid', '1'),
    name: text('名前', 'ムード'),
    sub_genres: part('このジャンルのサブジャンル'),
  }),
  SubGenre: reply('サブジャンル', SubGenreSchema, {
    id: text('サブジャンルのid', '3'),
    name: text('名前', '明るい'),
  }),
  FactCounts: reply('条件ごとのサウンドの数', countFacts.reply, { results: part('条件の値ごとの数') }),
  FactCount: reply('1つの条件を加えたときのサウンドの数', FactCountSchema, {
    filter: text('条件の名前（クエリの名前）', 'mood'),
    value: text('条件の値', 'calm'),
    count: integer('当てはまるサウンドの数', 42),
    is_capped: flag('数が count より多いことがあるかどうか', false),
  }),
  SearchSuggestions: reply('代わりになる検索', suggestSearches.reply, {
    results: part('それぞれ何かが見つかる検索'),
  }),
  SearchSuggestion: reply('代わりになる1つの検索', SearchSuggestionSchema, {
    search: text('検索する言葉', '潮騒'),
    count: integer('見つかるサウンドの数', 12),
  }),
  SiteMap: reply('サイトマップの大きさ', getSiteMap.reply, { parts: integer('部の数', 1) }),
  SiteMapPart: reply('サイトマップの1つの部', getSiteMapPart.reply, {
    sounds: part('公開中のサウンド'),
    artists: part('最新の公開中のサウンドがこの部にあるアーティスト'),
  }),
  MappedSound: reply('サイトマップのサウンド', MappedSoundSchema, {
    id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
    updated_at: time('アーティストが最後に変えた日時'),
  }),
  MappedArtist: reply('サイトマップのアーティスト', MappedArtistSchema, {
    username: text('ユーザー名', 'kazami'),
    updated_at: time('この部のサウンドを最後に変えた日時'),
  }),
  SearchCompletions: reply('入力中の検索の候補', completeSearch.reply, {
    words: list('言葉', ['雨', '雨音']),
    artists: list('アーティストのユーザー名', ['ame-kobo']),
    sounds: part('サウンド'),
  }),
  CompletedSound: reply('候補になったサウンド', CompletedSoundSchema, {
    id: text('サウンドのid', 'ZtKD74yLHGTP7uU0'),
    title: text('タイトル', '雨上がりの朝'),
  }),
};

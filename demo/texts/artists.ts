import type { PaletteName } from '../pictures/palettes.ts';
import type { MotifName } from '../pictures/picture.ts';

export interface ArtistEntry {
  username: string;
  /** One from accounts.ts; otherwise derived from the index in the list. */
  email?: string;
  name: string;
  /** How the username is read, if that cannot be seen. */
  reading?: string;
  bio?: string;
  portrait?: readonly [MotifName, PaletteName];
  background?: readonly [MotifName, PaletteName];
  messageEmail?: string;
  donationUrl?: string;
}

export const artistEntries: readonly ArtistEntry[] = [
  {
    username: '凪野ことり',
    email: 'verified@example.test',
    name: '凪野 小鳥',
    reading: 'なぎのことり',
    bio: 'ピアノと小さな鍵盤楽器で、日常のすきまに置ける曲を書いています。\n朗読・ゲーム・動画など、どうぞお好きな場面で。使ってくださった作品を教えていただけると、とても喜びます。\n\n新しい曲は、だいたい月の終わりに並べています。',
    portrait: ['keys', 'dawn'],
    background: ['hills', 'dawn'],
    messageEmail: 'kotori@example.test',
    donationUrl: 'https://ofuse.me/nagino-kotori',
  },
  {
    username: 'Minamo Works',
    email: 'id-confirmed@example.test',
    name: '水面工房',
    reading: 'ミナモワークス',
    bio: 'BGM制作ユニット。ボサノバ、ジャズ、アコースティックを中心に、店舗や配信で長く流しても疲れない音を目指しています。ループ素材は頭とお尻をつないであります。',
    portrait: ['ripples', 'sea'],
    background: ['waves', 'sea'],
    messageEmail: 'hello@minamo.example.test',
    donationUrl: 'https://ofuse.me/minamo-works',
  },
  {
    username: '八丁目録音部',
    name: '八丁目録音部',
    reading: 'ハッチョウメロクオンブ',
    bio: '町内の音を拾って歩く三人組です。ドア、足音、台所、路地の夕方。\n「こんな音がほしい」があればメッセージでどうぞ。できる範囲で作ります。',
    portrait: ['hills', 'moss'],
    background: ['town', 'moss'],
    messageEmail: 'rec@example.test',
    donationUrl: 'https://ofuse.me/hacchome',
  },
  {
    username: 'kumo_to_ame',
    name: '雲井 雨音',
    reading: 'クモトアメ',
    bio: '雨と風と水の音ばかり集めています。作業用・睡眠用に長めのループを置いています。',
    portrait: ['rain', 'rain'],
    background: ['rain', 'indigo'],
    donationUrl: 'https://ofuse.me/kumo-to-ame',
  },
  {
    username: 'ピコ沢',
    name: 'ピコ沢',
    reading: 'ピコザワ',
    bio: '矩形波2つ、三角波1つ、ノイズ1つ。だいたいそれで足ります。\n8bit風のBGMとゲーム用効果音を作っています。',
    portrait: ['pixels', 'deep'],
    background: ['pixels', 'night'],
    messageEmail: 'pico@example.test',
  },
  {
    username: '灯台守サウンド',
    name: '灯台守サウンド',
    reading: 'トウダイモリサウンド',
    bio: '星、海、深夜。ゆっくり動く音が好きです。アンビエントとホラーを半々くらい。',
    portrait: ['orbits', 'deep'],
    background: ['night', 'deep'],
    messageEmail: 'keeper@example.test',
  },
  {
    username: 'Mugi & Cha',
    name: '麦と茶',
    reading: 'ムギアンドチャ',
    bio: 'ほのぼの担当です。ウクレレ、鉄琴、リコーダーのような音で、犬や猫やお弁当の動画に合う曲をそろえています。',
    portrait: ['sparks', 'moss'],
    messageEmail: 'mugi@example.test',
    donationUrl: 'https://ofuse.me/mugi-cha',
  },
  {
    username: '夜更けの卓',
    email: 'id-pending@example.test',
    name: '卓 夜更',
    reading: 'よふけのたく',
    bio: 'Lo-Fi / chill. 夜の作業机の横で鳴っている音楽。',
    portrait: ['night', 'night'],
    background: ['town', 'night'],
    donationUrl: 'https://ofuse.me/yofuke',
  },
  {
    username: 'tetsu_foley',
    name: '鉄屋 響',
    reading: 'テツフォーリー',
    bio: '機械と乗り物の効果音。油と鉄の匂いがするものを。',
    portrait: ['bars', 'snow'],
    messageEmail: 'tetsu@example.test',
  },
  {
    username: '鈴鳴堂',
    name: '鈴鳴堂',
    reading: 'すずなりどう',
    bio: '箏・尺八・太鼓の響きを使った和風素材の店です。時代劇、温泉、祭り、お正月まで。\n曲名の読みがわからないときはお気軽にお尋ねください。',
    portrait: ['waves', 'ember'],
    background: ['waves', 'indigo'],
    messageEmail: 'suzunari@example.test',
    donationUrl: 'https://ofuse.me/suzunari-do',
  },
  {
    username: 'TOBARI',
    email: 'id-rejected@example.test',
    name: '帳',
    reading: 'トバリ',
    bio: '戦闘曲、会議曲、処刑用BGM。オーケストラ編成を打ち込みで作ります。「もっと重く」のご要望に強いです。',
    portrait: ['shards', 'ember'],
    background: ['shards', 'ember'],
    messageEmail: 'tobari@example.test',
  },
  {
    username: 'ねこまた音具店',
    name: 'ねこまた音具店',
    reading: 'ネコマタオングテン',
    portrait: ['cat', 'plum'],
    background: ['hills', 'plum'],
  },
  {
    username: 'NEON FERRY',
    name: 'NEON FERRY',
    reading: 'ネオンフェリー',
    bio: '夜の港とシンセサイザー。ゲーム、CM、オープニング向けのエレクトロ。',
    background: ['bars', 'deep'],
    messageEmail: 'ferry@example.test',
  },
  {
    username: '白紙',
    email: 'blocked@example.test',
    name: '白紙',
  },
];

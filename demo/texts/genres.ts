import type { Mood } from '../../contract/sounds/sound-facts.ts';

export const types = [
  { name: 'BGM', icon: 'music' },
  { name: '効果音', icon: 'effect' },
];

// prettier-ignore
export const genres = [
  { name: 'シーン', subGenres: ['戦闘', '日常', 'カフェ', 'オープニング', 'エンディング', '街・村', '夜', '旅・冒険', '季節行事', '睡眠・作業用'] },
  { name: '楽器', subGenres: ['ピアノ', 'ギター', '和楽器', 'オルゴール', 'シンセサイザー', 'ストリングス', '管楽器', '打楽器'] },
  { name: 'スタイル', subGenres: ['和風', 'ジャズ', 'ボサノバ', 'ローファイ', 'チップチューン', 'アンビエント', 'オーケストラ', 'エレクトロ'] },
  { name: '効果音の種類', subGenres: ['自然', '生活', '機械', 'UI・ボタン', 'ファンタジー', '乗り物', '人の動き', '動物', 'ジングル', 'ゲーム演出', '正解・不正解'] },
];

/** Tags that are answers of the artist. A genre of them would repeat a filter that every site has. */
export const MOODS_OF_TAGS: Readonly<Record<string, Mood>> = {
  明るい: 'bright',
  切ない: 'sad',
  ほのぼの: 'calm',
  緊張感: 'tense',
  壮大: 'grand',
  不気味: 'scary',
  癒し: 'calm',
  おしゃれ: 'cool',
  コミカル: 'comical',
  神秘的: 'mysterious',
};

export const types = [
  { name: 'BGM', icon: 'music' },
  { name: '効果音', icon: 'effect' },
];

// prettier-ignore
export const genres = [
  { name: '曲調', subGenres: ['明るい', '切ない', 'ほのぼの', '緊張感', '壮大', '不気味', '癒し', 'おしゃれ', 'コミカル', '神秘的'] },
  { name: 'シーン', subGenres: ['戦闘', '日常', 'カフェ', 'オープニング', 'エンディング', '街・村', '夜', '旅・冒険', '季節行事', '睡眠・作業用'] },
  { name: '楽器', subGenres: ['ピアノ', 'ギター', '和楽器', 'オルゴール', 'シンセサイザー', 'ストリングス', '管楽器', '打楽器'] },
  { name: 'ジャンル', subGenres: ['和風', 'ジャズ', 'ボサノバ', 'ローファイ', 'チップチューン', 'アンビエント', 'オーケストラ', 'エレクトロ'] },
  { name: '効果音の種類', subGenres: ['自然', '生活', '機械', 'UI・ボタン', 'ファンタジー', '乗り物', '人の動き', '動物', 'ジングル', 'ゲーム演出', '正解・不正解'] },
  { name: 'テンポ', subGenres: ['ゆっくり', 'ふつう', '速い'] },
];

/** Sub-genre of the tempo genre for beats a minute. */
export function tempoTag(bpm: number): string {
  return bpm < 86 ? 'ゆっくり' : bpm < 128 ? 'ふつう' : '速い';
}

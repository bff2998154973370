import type { MusicEntry } from './entry.ts';

// prettier-ignore
export const calmMusic: readonly MusicEntry[] = [
  { title: '雨の日のカフェ', text: '窓ぎわの席でコーヒーを待つ時間をイメージした、静かなボサノバ。雑談配信やお店のBGMに。', mood: 'bossa', bpm: 112, key: 5, bars: 32, ending: 'final', tags: ['カフェ', 'ボサノバ', 'おしゃれ', 'ギター'], by: 'Minamo Works', art: ['rain', 'rain'] },
  { title: '月曜のボサノバ', text: '少しだけ気だるい午前中に。ナイロン弦のギターとフルートの小さな編成です。', mood: 'bossa', bpm: 126, key: -2, bars: 8, ending: 'loop', tags: ['ボサノバ', 'カフェ', '日常', 'ギター'], by: 'Minamo Works', art: ['blocks', 'sea'] },
  { title: 'Lo-Fi 夜更かし', text: 'あと一時間だけ、と思いながら三時間たつ夜に。レコードのノイズ入り。', mood: 'lofi', bpm: 76, key: 0, bars: 13, ending: 'fade', tags: ['ローファイ', '夜', '睡眠・作業用', 'おしゃれ'], by: '夜更けの卓', art: ['town', 'night'] },
  { title: '作業用ループ(珈琲二杯目)', text: '集中したいとき用。展開を控えめにしてあるので、長時間の作業でも邪魔になりません。', mood: 'lofi', bpm: 88, key: -3, bars: 8, ending: 'loop', tags: ['ローファイ', '睡眠・作業用', 'カフェ'], by: '夜更けの卓', art: null },
  { title: '雨音と電気ピアノ', text: 'エレピのコードだけで引っぱる、雨の夜のスケッチ。', mood: 'lofi', bpm: 72, key: 5, bars: 6, ending: 'loop', tags: ['ローファイ', 'ピアノ', '夜', '癒し'], by: '夜更けの卓', art: ['rain', 'deep'], ai: true },
  { title: '午後のピアノ', text: 'カーテンが揺れるくらいの風。ピアノ一台のやわらかい小品です。', mood: 'pianoSolo', bpm: 92, key: 0, bars: 24, ending: 'final', tags: ['ピアノ', '癒し', '日常'], by: '凪野ことり', art: ['keys', 'dawn'] },
  { title: 'ピアノのための小さな手紙', text: '手紙を読み返す場面に。朗読の下に敷いても言葉の邪魔をしない音量感です。', mood: 'pianoSolo', bpm: 84, key: 5, bars: 8, ending: 'final', tags: ['ピアノ', '切ない', 'エンディング'], by: '凪野ことり', art: ['keys', 'plum'] },
  { title: '水たまりのソナチネ', text: '雨上がりの子どもの足どり。明るく短いピアノソロです。', mood: 'pianoSolo', bpm: 118, key: 7, bars: 8, ending: 'final', tags: ['ピアノ', '明るい'], by: '凪野ことり', art: ['ripples', 'sea'] },
  { title: 'さよならの駅', text: '電車が出たあとのホーム。ピアノとストリングスの切ないバラード。物語の別れの場面に。', mood: 'bittersweet', bpm: 78, key: 0, bars: 8, ending: 'final', tags: ['切ない', 'ピアノ', 'ストリングス', 'エンディング'], by: '凪野ことり', art: ['road', 'plum'] },
  { title: '冬の記憶', text: '雪の降る音が聞こえそうな、静かな短調の曲です。', mood: 'bittersweet', bpm: 72, key: -3, bars: 6, ending: 'final', tags: ['切ない', 'ピアノ', 'ゆっくり'], by: '凪野ことり', art: ['snowfield', 'snow'] },
  { title: '返事はいらない', text: '終わった恋の話をするときの音楽。後半で弦が入ります。', mood: 'bittersweet', bpm: 86, key: 5, bars: 6, ending: 'final', tags: ['切ない', 'ピアノ'], by: '白紙', art: null },
  { title: 'オルゴール「星のかけら」', text: '寝る前の読み聞かせに。ゆっくり止まっていくようなオルゴール。', mood: 'musicBox', bpm: 74, key: 0, bars: 6, ending: 'final', tags: ['オルゴール', '癒し', '睡眠・作業用', '夜'], by: '凪野ことり', art: ['sparks', 'indigo'] },
  { title: '引き出しの中の春', text: '古いオルゴールを見つけた、という場面のために作りました。', mood: 'musicBox', bpm: 88, key: 5, bars: 6, ending: 'loop', tags: ['オルゴール', '切ない'], by: 'ねこまた音具店', art: ['sparks', 'plum'] },
  { title: 'おやすみハープ', text: '三拍子の子守唄。赤ちゃんとご家族の動画などに。', mood: 'lullaby', bpm: 80, key: 5, bars: 8, ending: 'final', tags: ['癒し', '睡眠・作業用', 'ワルツ'], by: 'Mugi & Cha', art: ['night', 'indigo'] },
  { title: 'ねこの昼寝', text: '日なたの猫がとけているだけの曲。起こさないでください。', mood: 'lullaby', bpm: 92, key: 0, bars: 8, ending: 'loop', tags: ['ほのぼの', '癒し', 'アコースティック'], by: 'ねこまた音具店', art: ['cat', 'dawn'] },
  { title: '人形たちの舞踏会', text: '少し影のあるワルツ。洋館、仮面舞踏会、童話の不思議な場面に。', mood: 'waltz', bpm: 152, key: 0, bars: 16, ending: 'final', tags: ['ワルツ', '神秘的', 'ストリングス'], by: 'TOBARI', art: ['sparks', 'plum'] },
  { title: '硝子のワルツ', text: 'こわれやすいものを運ぶように。', mood: 'waltz', bpm: 132, key: 3, bars: 8, ending: 'loop', tags: ['ワルツ', '切ない', 'ピアノ'], by: '凪野ことり', art: null, ai: true },
  { title: '惑星のあいだ', text: '無重力の静けさ。ゆっくり移りかわるパッドに、遠くの鐘が混ざります。宇宙・科学の解説動画にも。', mood: 'ambient', bpm: 66, key: 0, bars: 17, ending: 'fade', tags: ['アンビエント', '神秘的', 'シンセサイザー', '睡眠・作業用'], by: '灯台守サウンド', art: ['orbits', 'deep'] },
  { title: '霧の朝、湖', text: '目が覚めきらない時間の音。瞑想やヨガの時間にもどうぞ。', mood: 'ambient', bpm: 64, key: 2, bars: 5, ending: 'fade', tags: ['アンビエント', '癒し', 'ゆっくり'], by: 'kumo_to_ame', art: null, ai: true },
  { title: '竹林の径', text: '尺八と箏。竹の葉が触れあう山道を歩くような和風曲です。', mood: 'wa', bpm: 72, key: 0, bars: 6, ending: 'final', tags: ['和風', '和楽器', '神秘的', '癒し'], by: '鈴鳴堂', art: ['forest', 'moss'] },
  { title: '湯けむり宿', text: '温泉旅館の案内映像に使いやすい、おだやかな箏の曲。', mood: 'wa', bpm: 84, key: -2, bars: 6, ending: 'loop', tags: ['和風', '和楽器', '旅・冒険'], by: '鈴鳴堂', art: ['waves', 'dawn'] },
  { title: '月下、待ち人来たらず', text: '時代物の夜の場面に。間を大切にしています。', mood: 'wa', bpm: 66, key: 3, bars: 4, ending: 'final', tags: ['和風', '和楽器', '切ない', '夜'], by: '鈴鳴堂', art: ['night', 'indigo'] },
  { title: '風車の村', text: 'はじまりの村、市場のにぎわい。笛がよく動く三拍子です。', mood: 'village', bpm: 138, key: 2, bars: 16, ending: 'loop', tags: ['街・村', '旅・冒険', '管楽器', 'ワルツ'], by: 'Minamo Works', art: ['hills', 'moss'] },
];

import { MOOD_TEXTS, USE_TEXTS } from '../../contract/sounds/fact-labels.ts';
import type { FACT_FILTERS, FactName } from '../../contract/sounds/sound-facts.ts';
import { MUSICAL_KEYS, toKeyName } from '../../contract/sounds/music.ts';
import { toKeyValue } from '../../contract/sounds/sound-facts.ts';

/** For artists who answer and for visitors who filter. */
export const CONTENT_ID_HINT =
  'YouTubeが動画の音を自動で照合する仕組みです。登録のある音を動画に使うと、権利の申し立てが届くことがあります。';

interface FactText<Name extends FactName> {
  /** The heading of the group. */
  readonly name: string;
  readonly values: Readonly<Record<(typeof FACT_FILTERS)[Name]['values'][number], string>>;
  /** What the heading means, if it needs to be said. */
  readonly hint?: string;
  /** Whether pages offer to exclude values; addresses can exclude any. */
  readonly canExclude?: true;
}

/** How the filters by facts are named, each value so that it can stand alone. */
export const FACT_TEXTS: { readonly [Name in FactName]: FactText<Name> } = {
  length: {
    name: '長さ',
    values: {
      '0-10': '10秒未満',
      '10-30': '10〜30秒',
      '30-60': '30秒〜1分',
      '60-180': '1〜3分',
      '180-300': '3〜5分',
      '300-': '5分以上',
    },
  },
  tempo: {
    name: 'BPM',
    values: {
      '0-90': 'BPM 90未満',
      '90-120': 'BPM 90〜120',
      '120-150': 'BPM 120〜150',
      '150-': 'BPM 150以上',
    },
  },
  key: {
    name: 'キー',
    values: {
      major: '長調',
      minor: '短調',
      ...Object.fromEntries(MUSICAL_KEYS.map((key) => [toKeyValue(key), toKeyName(key)])),
    },
  },
  loopable: { name: 'ループ', values: { yes: 'ループ可' } },
  vocals: { name: 'ボーカル', values: { no: 'ボーカルなし', yes: 'ボーカルあり' } },
  mood: { name: '雰囲気', values: MOOD_TEXTS, canExclude: true },
  use: { name: '追加で認めた使いみち', values: USE_TEXTS },
  content_id: {
    name: 'Content ID',
    hint: CONTENT_ID_HINT,
    values: { none: 'Content ID登録なし', registered: 'Content ID登録あり' },
    canExclude: true,
  },
};

/** The name of a value. */
export function toFactText(name: FactName, value: string): string {
  return (FACT_TEXTS[name].values as Readonly<Record<string, string>>)[value] ?? value;
}

import { FACT_FILTERS, FACT_PARAMETERS, toFactName } from '../../../contract/sound-facts.ts';
import type { FactName } from '../../../contract/sound-facts.ts';
import type { Field } from './field.ts';

const FACTS: Readonly<Record<FactName, string>> = {
  length: '長さの範囲（秒）。複数指定でき、どれかに当てはまるものを返す',
  tempo: 'テンポの範囲（BPM）。複数指定でき、どれかに当てはまるものを返す',
  key: 'キー。major と minor は、すべての長調・短調。複数指定でき、どれかに当てはまるものを返す',
  loopable: 'yes は、つなぎ目なく繰り返せるもの',
  vocals: 'ボーカルがあるかどうか。未回答のものは返さない',
  mood: '雰囲気。複数指定でき、すべてに当てはまるものを返す',
  use: '使ってよい用途。複数指定でき、すべてに当てはまるものを返す',
  content_id: 'Content IDに登録しているかどうか。未回答のものは返さない',
};
/** The query parameters of the filters by facts. */
export const FACT_FIELDS: Readonly<Record<string, Field>> = Object.fromEntries(
  FACT_PARAMETERS.map((parameter) => {
    const name = toFactName(parameter);
    const description = parameter === name ? FACTS[name] : `この ${name} のものを除く。複数指定できる`;
    return [parameter, { description, example: FACT_FILTERS[name].values.slice(0, 1) }];
  }),
);

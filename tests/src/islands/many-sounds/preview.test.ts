import { describe, expect, it } from 'vitest';
import { describePlan } from '#src/islands/many-sounds/preview.ts';
import { toOutcome, toValues } from '#src/stores/many-sounds/plan.ts';
import type { Plan } from '#src/stores/many-sounds/plan.ts';
import { toSoundDraft } from '#src/stores/my-sounds/draft.ts';
import * as v from 'valibot';
import { SoundSchema } from '#contract/sounds/sounds.ts';
import { lenient } from '#src/api/lenient.ts';

const GENRES = [{ id: '1', name: '自然', sub_genres: [{ id: '7', name: '雨' }] }];

/** Twelve sounds, of which three already have the sub-genre, and two as many moods as possible. */
const ROWS = Array.from({ length: 12 }, (_, index) => {
  const sound = v.parse(lenient(SoundSchema), {
    id: `s${index}`,
    title: `曲${index}`,
    sub_genres: index < 3 ? ['7'] : [],
    moods: index < 2 ? ['bright', 'cool', 'cute'] : [],
  });
  return { id: sound.id, title: sound.title, filename: '', saved: toSoundDraft(sound), sound };
});

const describeIt = (plan: Plan) =>
  describePlan(
    plan,
    ROWS.map((row) => toOutcome(row, toValues(plan, row.saved))),
    GENRES,
  );

describe('the preview of a change', () => {
  it.each<[Plan, string[]]>([
    [{}, []],
    [
      { sub_genres: { mode: 'add', value: ['7'] } },
      ['12件のうち9件にサブジャンル「雨」を追加します。3件は既にあります。'],
    ],
    [
      { sub_genres: { mode: 'remove', value: ['7'] } },
      ['12件のうち3件からサブジャンル「雨」を外します。9件はもともとありません。'],
    ],
    [
      { sub_genres: { mode: 'set', value: [] } },
      ['12件のうち3件のサブジャンルをすべて外します。9件は既に同じ内容です。'],
    ],
    [
      { content_id: { mode: 'set', value: 'none' } },
      ['12件のうち12件のContent IDを「登録していない」にします。'],
    ],
    [
      { moods: { mode: 'add', value: ['calm'] } },
      [
        '12件のうち10件に雰囲気「穏やか」を追加します。',
        '2件は変更しません：雰囲気は3つまで選べます。（「曲0」「曲1」）',
      ],
    ],
    [{ description: { mode: 'add', value: '' } }, []],
    [
      { description: { mode: 'set', value: '' } },
      ['12件のうち0件の説明を空にします。12件は既に同じ内容です。'],
    ],
  ])('says what changes in how many (%#)', (plan, lines) => {
    expect(describeIt(plan)).toEqual(lines);
  });
});

import { describe, expect, test } from 'vitest';
import { judgeChange, listChanged, toFormer } from '#server/features/my-sounds/worsening.ts';
import type { SoundValues } from '#server/features/my-sounds/worsening.ts';

const SOUND: SoundValues = {
  title: '雨音',
  description: '',
  filename: 'rain.mp3',
  is_published: 'true',
  is_ai_generated: 'false',
  sub_genres: ['1', '2'],
  is_loopable: 'false',
  has_vocals: '',
  moods: ['calm'],
  licence_uses: ['venues'],
  content_id: '',
  bpm: '',
  key: '',
  thumbnail: '',
};
const ANSWERED: SoundValues = {
  ...SOUND,
  is_loopable: 'true',
  has_vocals: 'false',
  content_id: 'registered',
  bpm: '92.5',
  key: 'F#m',
  thumbnail: 'one',
};
const judge = (before: SoundValues, change: Partial<SoundValues>) =>
  judgeChange(before, { ...before, ...change });

describe('a public sound', () => {
  test.each<Partial<SoundValues>>([
    { title: '盗' },
    { description: '中傷' },
    { filename: 'x.mp3' },
    { is_published: 'false' },
    { is_ai_generated: 'true' },
    { sub_genres: ['2'] },
    { sub_genres: ['1', '3'] },
    { moods: [] },
    { licence_uses: [] },
    { is_loopable: 'false' },
    { has_vocals: 'true' },
    { content_id: '' },
    { bpm: '60' },
    { key: '' },
    { thumbnail: 'two' },
  ])('gets worse by %j, a private one does not', (change) => {
    expect(judge(ANSWERED, change).isWorse).toBe(true);
    expect(judge({ ...ANSWERED, is_published: 'false' }, change).isWorse).toBe(false);
  });

  test.each<Partial<SoundValues>>([
    { sub_genres: ['2', '1', '3'] },
    { moods: ['sad', 'calm'] },
    { licence_uses: ['venues', 'songs'] },
    { is_loopable: 'true' },
    { has_vocals: 'true' },
    { content_id: 'registered' },
    { bpm: '60' },
    { key: 'C' },
    { thumbnail: 'one' },
  ])('does not get worse by the addition %j', (change) => {
    expect(judge(SOUND, change).isWorse).toBe(false);
  });
});

test.each<[Partial<SoundValues>, Partial<SoundValues>, boolean]>([
  [{}, { licence_uses: ['venues', 'songs'] }, true],
  [{}, { licence_uses: ['songs'] }, true],
  [{}, { licence_uses: [] }, false],
  [{}, { content_id: 'none' }, true],
  [{}, { content_id: 'registered' }, false],
  [{ content_id: 'registered' }, { content_id: '' }, true],
  [{ content_id: 'registered' }, { content_id: 'none' }, true],
  [{ content_id: 'none' }, { content_id: 'registered' }, false],
  [{ content_id: 'none' }, { content_id: '' }, false],
])('a licence of %j with %j is wider: %j', (before, change, isWider) => {
  for (const is_published of ['true', 'false'])
    expect(judge({ ...SOUND, ...before, is_published }, change).isWider).toBe(isWider);
});

test('the order of a list is no change', () => {
  expect(listChanged(SOUND, { ...SOUND, sub_genres: ['2', '1'] })).toEqual([]);
});

describe('the values before several changes', () => {
  const changes = [
    { id: 1, before: { title: '一', bpm: '' } },
    { id: 2, before: { title: '二' } },
    { id: 3, before: { title: '三', thumbnail: '' } },
  ];
  const current = { ...SOUND, title: '四', bpm: '60' };

  test('are those of the first one, without the picture', () => {
    expect(toFormer(changes, current, () => true, false)).toEqual({ title: '一', bpm: '' });
    expect(toFormer(changes, current, ({ id }) => id > 1, false)).toEqual({ title: '二' });
  });

  test('leave out what was replaced since, unless it is back', () => {
    const isFirst = ({ id }: { readonly id: number }) => id === 1;
    expect(toFormer(changes, current, isFirst, true)).toEqual({ bpm: '' });
    expect(toFormer(changes, { ...current, title: '二' }, isFirst, true)).toEqual({ title: '一', bpm: '' });
  });

  test('leave out what is the same by now', () => {
    expect(toFormer(changes, { ...current, title: '一' }, () => true, false)).toEqual({ bpm: '' });
  });
});

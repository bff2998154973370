import { describe, expect, it } from 'vitest';
import { MUSICAL_KEYS, toKeyName } from '#contract/sounds/music.ts';

describe('the name of a key', () => {
  it.each([
    ['C', 'ハ長調 C'],
    ['Db', '変ニ長調 D♭'],
    ['F#', '嬰ヘ長調 F♯'],
    ['Bb', '変ロ長調 B♭'],
    ['C#m', '嬰ハ短調 C♯m'],
    ['Ebm', '変ホ短調 E♭m'],
    ['Bm', 'ロ短調 Bm'],
  ] as const)('%s is %s', (key, name) => {
    expect(toKeyName(key)).toBe(name);
  });

  it('is another one for each key', () => {
    expect(new Set(MUSICAL_KEYS.map(toKeyName)).size).toBe(24);
  });
});

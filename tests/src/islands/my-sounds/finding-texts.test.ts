import { describe, expect, it } from 'vitest';
import { SILENT_HEAD_MS_MAX, type SoundFindings } from '#contract/sounds/sound-findings.ts';
import { describeLoudness, formatTenths, listFindings } from '#src/islands/my-sounds/finding-texts.ts';

const CLEAN: SoundFindings = {
  silent_head_ms: 0,
  clips_ms: [],
  clip_count: 0,
  is_tail_cut: false,
  loudness_lufs: -14,
};
const list = (found: Partial<SoundFindings>, durationMs = 60_000) =>
  listFindings({ ...CLEAN, ...found }, durationMs);

describe('the list of findings', () => {
  it('is empty for a clean sound, and for silence within the limit', () => {
    expect(list({})).toEqual([]);
    expect(list({ silent_head_ms: SILENT_HEAD_MS_MAX })).toEqual([]);
    expect(list({ silent_head_ms: SILENT_HEAD_MS_MAX + 1 })).toHaveLength(1);
  });

  it('is in the order of the sound, with positions to listen to', () => {
    const found = list({ silent_head_ms: 800, clips_ms: [300, 12_400], clip_count: 2, is_tail_cut: true });
    expect(found.map(({ text }) => text)).toEqual([
      '先頭に0.8秒の無音があります',
      '2か所で音割れしています',
      '終わりが急に切れています',
    ]);
    expect(found.map(({ positions }) => positions)).toEqual([
      [],
      [
        { atMs: 300, fromMs: 0 },
        { atMs: 12_400, fromMs: 11_900 },
      ],
      [{ atMs: 60_000, fromMs: 58_000 }],
    ]);
  });

  it('says when not all positions are listed', () => {
    const [clips] = list({ clips_ms: [100, 500], clip_count: 1_234 });
    expect(clips?.text).toBe('1,234か所で音割れしています（はじめの2か所を表示）');
  });

  it('has one entry for a sound that is silent throughout', () => {
    const silent = list({ silent_head_ms: 59_950, is_silent: true, loudness_lufs: null });
    expect(silent.map(({ text }) => text)).toEqual(['最初から最後まで無音です']);
  });

  it('has no silence for a short effect that begins late', () => {
    expect(list({ silent_head_ms: 240, is_silent: false, loudness_lufs: null }, 270)).toEqual([]);
    expect(list({ silent_head_ms: 240, loudness_lufs: null }, 270)).toEqual([]);
  });

  it('has a passage that could not be read, with its position', () => {
    const found = list({ clips_ms: [300], clip_count: 1, gaps_ms: [12_400, 31_000], is_tail_cut: true });
    expect(found.map(({ text }) => text)).toEqual([
      '1か所で音割れしています',
      '2か所に読み取れない部分がありました',
      '終わりが急に切れています',
    ]);
    expect(found[1]?.positions).toEqual([
      { atMs: 12_400, fromMs: 11_900 },
      { atMs: 31_000, fromMs: 30_500 },
    ]);
  });

  it('is available where the duration is unknown', () => {
    expect(list({ is_tail_cut: true, silent_head_ms: 900 }, 0).map(({ positions }) => positions)).toEqual([
      [],
      [],
    ]);
  });
});

it.each([
  [-14.04, 'ラウドネス −14.0 LUFS（標準的）'],
  [-9, 'ラウドネス −9.0 LUFS（標準的）'],
  [-8.9, 'ラウドネス −8.9 LUFS（大きめ）'],
  [1.2, 'ラウドネス 1.2 LUFS（大きめ）'],
  [-30, 'ラウドネス −30.0 LUFS（標準的）'],
  [-30.1, 'ラウドネス −30.1 LUFS（小さめ）'],
  [null, 'ラウドネス なし'],
])('a loudness of %s is always shown: %s', (lufs, text) => {
  expect(describeLoudness(lufs).text).toBe(text);
});

it.each([
  [0, '0:00.0'],
  [999, '0:00.9'],
  [12_400, '0:12.4'],
  [59_999, '0:59.9'],
  [61_050, '1:01.0'],
  [3_599_990, '59:59.9'],
])('%i ms is written as %s', (ms, text) => {
  expect(formatTenths(ms)).toBe(text);
});

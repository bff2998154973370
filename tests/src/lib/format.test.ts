import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatLength,
  formatMonth,
  formatYen,
  speakDuration,
} from '../../../src/lib/format.ts';

describe('formats', () => {
  it.each([
    [0, '0:00'],
    [5, '0:05'],
    [65.9, '1:05'],
    [185, '3:05'],
    [3723, '1:02:03'],
    [Number.NaN, '0:00'],
    [Number.POSITIVE_INFINITY, '0:00'],
    [-3, '0:00'],
  ])('shows %d seconds as %s', (sec, text) => {
    expect(formatDuration(sec)).toBe(text);
  });

  it('shows short sounds with tenths, so that effects are distinguishable', () => {
    expect(formatLength(320)).toBe('0.3秒');
    expect(formatLength(9940)).toBe('9.9秒');
    expect(formatLength(185_000)).toBe('3:05');
  });

  it('writes a duration in words for screen readers', () => {
    expect(speakDuration(185)).toBe('3分5秒');
    expect(speakDuration(5)).toBe('5秒');
  });

  it('shows counts, sizes and dates in Japanese format', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    expect(formatBytes(950)).toBe('1 KB');
    expect(formatBytes(1_240_000)).toBe('1.2 MB');
    expect(formatDate('2026-11-20T16:00:00Z')).toBe('2026年11月21日');
    expect(formatDate('soon')).toBe('');
  });

  it('shows yen and months in the format of the specification', () => {
    expect(formatYen(12_345)).toBe('¥12,345');
    expect(formatYen(0)).toBe('¥0');
    expect(formatYen(-1200)).toBe('-¥1,200');
    expect(formatMonth('2026-11')).toBe('2026年11月');
    expect(formatMonth('2026-01')).toBe('2026年1月');
    expect(formatMonth('soon')).toBe('');
  });
});

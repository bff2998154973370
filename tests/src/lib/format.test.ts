import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatDate, formatMonth, formatYen } from '#src/lib/format.ts';

describe('formats', () => {
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

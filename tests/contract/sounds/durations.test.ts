import { describe, expect, it } from 'vitest';
import { formatLength, formatPosition, speakDuration, speakPosition } from '#contract/sounds/durations.ts';

describe('the length of a sound', () => {
  it.each([
    [0.02, '0.1秒'],
    [0.32, '0.3秒'],
    [1.6, '1.6秒'],
    [4.1, '4.1秒'],
    [9.96, '9.9秒'],
    [10, '0:10'],
    [22.6, '0:22'],
    [29.999, '0:29'],
    [65.9, '1:05'],
    [185, '3:05'],
    [3723, '1:02:03'],
    [0, '0:00'],
    [-3, '0:00'],
    [Number.NaN, '0:00'],
    [Number.POSITIVE_INFINITY, '0:00'],
  ])('of %d seconds is shown as %s', (sec, text) => {
    expect(formatLength(sec)).toBe(text);
  });

  it('is reached by the position at its end', () => {
    for (const sec of [0.32, 1.6, 4.1, 9.96, 22.6, 185]) {
      expect(formatPosition(sec, sec)).toBe(formatLength(sec));
      expect(formatPosition(0, sec)).toBe(sec < 10 ? '0.0秒' : '0:00');
    }
    expect(formatPosition(3.2, 0)).toBe('0:03');
  });

  it('is spoken in words', () => {
    expect(speakDuration(185)).toBe('3分5秒');
    expect(speakDuration(5)).toBe('5秒');
    expect(speakPosition(65.9, 185)).toBe('1分5秒');
    expect(speakPosition(0.32, 1.6)).toBe('0.3秒');
  });
});

import { describe, expect, it } from 'vitest';
import { estimateToastHeight, hasToastRoom } from '#src/lib/toast-room.ts';

const phone = { width: 320, height: 568 };

describe('estimateToastHeight', () => {
  it('grows by a line when the text no longer fits one', () => {
    expect(estimateToastHeight('あ'.repeat(10), phone)).toBe(55);
    expect(estimateToastHeight('あ'.repeat(16), phone)).toBe(76);
  });

  it('limits the width to that of a toast in wide viewports', () => {
    const text = 'あ'.repeat(100);
    expect(estimateToastHeight(text, { width: 4000, height: 568 })).toBe(
      estimateToastHeight(text, { width: 400, height: 568 }),
    );
  });
});

describe('hasToastRoom', () => {
  it('is always true for the first toast', () => {
    expect(hasToastRoom([], 2000, phone)).toBe(true);
  });

  it('is false below the edge of the viewport', () => {
    expect(hasToastRoom(Array(6).fill(55), 55, phone)).toBe(true);
    expect(hasToastRoom(Array(7).fill(55), 55, phone)).toBe(false);
  });
});

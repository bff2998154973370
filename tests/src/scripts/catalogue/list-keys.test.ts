// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

const { downloadSound, toggleFavorite } = vi.hoisted(() => ({
  downloadSound: vi.fn<(track: object) => Promise<void>>(),
  toggleFavorite: vi.fn<(id: string, isAnnounced: boolean) => void>(),
}));
vi.mock('#src/islands/overlays/load.ts', () => ({ followOverlays: () => undefined }));
vi.mock('#src/browser/tracks.ts', () => ({ readCard: () => ({ id: 's1' }) }));
vi.mock('#src/stores/downloads/downloads.ts', () => ({ downloadSound }));
vi.mock('#src/stores/favorites/favorites.ts', () => ({ toggleFavorite }));

import { pressListKey } from '#src/scripts/catalogue/list-keys.ts';

beforeEach(() => {
  downloadSound.mockReset();
  downloadSound.mockResolvedValue();
  toggleFavorite.mockReset();
});

it('a held key downloads a sound and changes its heart only once', () => {
  const card = document.createElement('div');
  for (const key of ['d', 'f', 'D', 'F']) {
    for (const repeat of [false, true]) pressListKey(card, new KeyboardEvent('keydown', { key, repeat }));
  }
  expect(downloadSound).toHaveBeenCalledTimes(2);
  expect(toggleFavorite).toHaveBeenCalledTimes(2);
});

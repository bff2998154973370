// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { watchKeys } from '#src/scripts/shell/keys.ts';

const offline = new TypeError('Failed to fetch');
vi.mock('#src/navigation/navigation.ts', () => ({ goTo: () => Promise.reject(offline) }));

it('the key of the search does nothing while its page cannot be loaded', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  watchKeys();
  const press = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true });
  document.body.dispatchEvent(press);
  await expect.poll(() => warn.mock.calls).toEqual([[offline]]);
  expect(press.defaultPrevented).toBe(true);
  expect(unhandled).not.toHaveBeenCalled();
  process.off('unhandledRejection', unhandled);
});

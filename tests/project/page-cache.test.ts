import { readFileSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * What follows a page that is left and may come back from the back/forward cache, and why. Browser and unit tests check each
 * of them; a new one is added here with its test.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  'src/ads/gpt-slot.ts': 'an ad ends with its page',
  'src/browser/locks.ts': 'a frozen page holds no lock',
  'src/islands/console/desk/DeskFrame.tsx': 'the queue is read again',
  'src/islands/console/desk/send-on-leave.ts': 'decisions are sent',
  'src/islands/console/identity/IdentityPanel.tsx': 'private keys are forgotten',
  'src/navigation/navigation.ts': 'a navigation under way has ended',
  'src/scripts/embed.ts': 'the sound is paused',
  'src/scripts/shell/session.ts': 'the member may have changed',
  'src/stores/favorites/actions.ts': 'favourites may have changed',
  'src/stores/player/page.ts': 'the sound is paused, at its place',
  'src/stores/uploads/resumption.ts': 'uploads stop, and continue',
};

const files = globSync('src/**/*.{ts,tsx,astro}', { cwd: ROOT }).map(
  (file) => [file, readFileSync(`${ROOT}/${file}`, 'utf8')] as const,
);
const listFiles = (pattern: RegExp) =>
  files
    .filter(([, text]) => pattern.test(text))
    .map(([file]) => file)
    .toSorted();

it('one file handles the events of pages that are left and come back', () => {
  expect(listFiles(/['"`](pagehide|pageshow|freeze|unload)['"`]|onpage(hide|show)|`page\$/)).toEqual([
    'src/browser/page-cache.ts',
  ]);
});

it('the table lists what follows them', () => {
  expect(listFiles(/from '.*page-cache\.ts'/)).toEqual(Object.keys(FOLLOWERS).toSorted());
});

/**
 * The tests that do not run in Firefox, by the cause: what the driver (Playwright by WebDriver BiDi) lacks, or what Firefox
 * lacks. An entry is a file in `tests/browser`, or `file > part of the names of its tests`.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'The driver has no sessions of the protocol of Chromium, by which these tests compose kana.': [
    'pages/browsing.test.ts > does not search during kana composition',
    'pages/first-press.test.ts > keeps the search box and a composition in it',
    'search/completions.test.ts > never choose during a composition',
  ],
  'The driver has no way to slow the network down.': [
    'quality-check/quality-check.test.ts > is sent with progress',
  ],
  'The driver has no way to set the font size of the browser while it runs.': [
    'pages/small-screens.test.ts > with text at twice the size by the font size of the browser',
  ],
  'The driver does not tell whether an answer came from the cache.': [
    'pages/browsing.test.ts > is prefetched after the pointer has rested on a link',
  ],
  'The driver has no body of a request, which these tests read or send on.': [
    'console/identity.test.ts > opens photographs with the key file, which is not sent',
    'my-sounds/edit.test.ts > cannot save while a row is invalid',
    'my-sounds/edit.test.ts > saves everything that was changed with one key',
    'pages/accessibility.test.ts > in an artist’s own sounds, uploads in progress',
    'profile/statistics.test.ts > reports what was heard, with the search that found it',
    'quality-check/quality-check.test.ts > U2: a file without MP3 content',
  ],
  'Firefox moves in what it has loaded of a sound, also without byte ranges.': [
    'hosts/foreign.test.ts > a visitor cannot move in a sound whose host serves no byte ranges',
  ],
  'Firefox loads no more scripts of a page once a form of it has been sent.': [
    'pages/first-press.test.ts > is searched for once by Enter, also when the scripts arrive before the page',
  ],
  'Firefox chooses the file of a picture by its size alone, also when it has a larger one.': [
    'pages/browsing.test.ts > asks for no other size of a picture that the list has shown larger',
  ],
  'The driver’s presses and keys do not reach into a frame of another site.': [
    'pages/embed.test.ts > plays, shows and changes the position by keyboard, and pauses',
    'pages/embed.test.ts > leaves no cookie and no storage behind',
    'pages/embed.test.ts > pauses when another player on the page starts',
  ],
  'The driver cannot switch off the policy of a page, which forbids the recorder of these tests.': [
    'player/gapless-loop.test.ts > is repeated without a silent sample',
    'player/gapless-loop.test.ts > is paused, resumed, turned down and moved in',
    'player/gapless-loop.test.ts > makes place for the next sound',
  ],
  'The driver reloads a page without the question that the page asks before it is left.': [
    'my-sounds/resume.test.ts > asks for the file where the browser keeps none',
  ],
};

export interface LeftOut {
  readonly entry: string;
  readonly reason: string;
}

const ENTRIES = Object.entries(LEFT_OUT).flatMap(([reason, entries]) =>
  entries.map((entry) => ({ entry, reason })),
);

export const listLeftOut = (): readonly LeftOut[] => ENTRIES;

/** The entry that leaves out a test, named as in `accounts/forms.test.ts > group > test`. */
export function findLeftOut(test: string): LeftOut | undefined {
  const [file = '', ...names] = test.split(' > ');
  return ENTRIES.find(({ entry }) => {
    const [ofFile, ...ofNames] = entry.split(' > ');
    return file === ofFile && names.join(' > ').includes(ofNames.join(' > '));
  });
}

// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { removePrivateTracks } from '#src/browser/private-tracks.ts';
import { isTrack, readTrack } from '#src/browser/tracks.ts';

const track = (id: string, isPrivate?: boolean) => ({
  id,
  src: `/${id}.mp3`,
  title: id,
  artist: '',
  thumbnail: null,
  wave: '',
  durationSec: 1,
  ...(isPrivate !== undefined && { isPrivate }),
});
/** The storage of all tabs, and that of this one. */
const AREAS = [
  ['localStorage', localStorage],
  ['sessionStorage', sessionStorage],
] as const;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe.each(AREAS)('the player state in %s', (_, area) => {
  const store = (current: string, ...queue: object[]) => {
    area.setItem('player:queue', JSON.stringify(queue));
    area.setItem('player:track', current);
    area.setItem('player:position', '12');
  };
  const stored = () => ['queue', 'track', 'position'].map((name) => area.getItem(`player:${name}`));

  it('is removed when its current sound is private', () => {
    store('secret', track('open', false), track('secret', true));
    removePrivateTracks();
    expect(stored()).toEqual([null, null, null]);
  });

  it('loses only its private sounds while the current one is public', () => {
    store('open', track('open', false), track('secret', true), track('of an older version'));
    removePrivateTracks();
    expect(stored()).toEqual([
      JSON.stringify([track('open', false), track('of an older version')]),
      'open',
      '12',
    ]);
  });

  it.each(['[]', '{"id"', '7', JSON.stringify([track('open')])])('is kept as it is: %s', (queue) => {
    area.setItem('player:queue', queue);
    area.setItem('player:track', '');
    removePrivateTracks();
    expect(stored()).toEqual([queue, '', null]);
  });
});

describe('a track', () => {
  it('is private when its card is marked private', () => {
    document.body.innerHTML = `<article data-sound="a"><button data-play="/a.mp3"></button></article>
      <article data-sound="b" data-private=""><button data-play="/b.mp3"></button></article>`;
    const tracks = [...document.querySelectorAll<HTMLElement>('[data-play]')].map(readTrack);
    expect(tracks.map((read) => read?.isPrivate)).toEqual([false, true]);
    expect(tracks.every(isTrack)).toBe(true);
    expect(isTrack({ ...track('a'), isPrivate: 'yes' })).toBe(false);
  });
});

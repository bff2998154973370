import { computed } from 'nanostores';
import { readPlayerText, writePlayerText } from '../../browser/player-storage.ts';
import { publicAtom, publicPersistentAtom } from '../../browser/public-atom.ts';
import { parseStored } from '../../browser/stored.ts';
import { type Track, isTrack } from '../../browser/tracks.ts';

/** Spec §9: the audio player's defaults. */
export const JUMP_SEC = 5;
export const VOLUME_STEP = 0.1;
export const LISTEN_INTERVAL_MS = 1000;

export type Playback =
  | { readonly state: 'idle' }
  | { readonly state: 'loading' | 'playing' | 'paused' }
  /** The file could not be played; the queue continues if possible. */
  | { readonly state: 'failed' };

export interface PlayTime {
  readonly currentSec: number;
  /** 0 while unknown. */
  readonly durationSec: number;
}

const rereadings: (() => void)[] = [];

/** The queue survives log-out, except private sounds (`dropPrivate`). */
export const $queue = ofThisTab('player:queue', jsonCodec<readonly Track[]>([], isQueue));
export const $trackId = ofThisTab('player:track', { decode: String, encode: String });
/** The position in the current track, so that a reload resumes there; written every listen interval. */
export const $savedSec = ofThisTab('player:position', jsonCodec<number>(0, isAmount));
export const $volume = publicPersistentAtom<number>('player:volume', 1, jsonCodec(1, isShare));
export const $isLooping = publicPersistentAtom<boolean>('player:loop', false, jsonCodec(false, isBoolean));
/** Whether measured sounds play at one loudness (`src/lib/loudness.ts`). */
export const $isLevelled = publicPersistentAtom<boolean>('player:level', true, jsonCodec(true, isBoolean));
/** Single-letter keys can be turned off (WCAG 2.1.4). */
export const $hasKeys = publicPersistentAtom<boolean>('player:keys', true, jsonCodec(true, isBoolean));

export const $playback = publicAtom<Playback>({ state: 'idle' });
export const $playTime = publicAtom<PlayTime>({ currentSec: 0, durationSec: 0 });
/** Whether the current sound can be played from another position. */
export const $canSeek = publicAtom(true);
/** Ids of the sounds whose file failed on this page. */
export const $failedIds = publicAtom<ReadonlySet<string>>(new Set());

export const $track = computed(
  [$queue, $trackId],
  (queue, id) => queue.find((track) => track.id === id) ?? null,
);
/** The sound that is audible now, or about to be. */
export const $playingId = computed([$trackId, $playback], (id, { state }) =>
  id !== '' && (state === 'playing' || state === 'loading') ? id : null,
);

/**
 * The first track after the current one that is of its series and whose file has not failed; none past the end of the
 * queue, and none after an effect.
 */
export function findFollower(): Track | null {
  const queue = $queue.get();
  const here = queue.findIndex((track) => track.id === $trackId.get());
  const series = queue[here]?.series;
  if (series === '') return null;
  return (
    queue.slice(here + 1).find((next) => next.series === series && !$failedIds.get().has(next.id)) ?? null
  );
}

/** The track `step` positions further in the queue, wrapping around at both ends (spec §2). */
export function findNeighbour(step: 1 | -1): Track | null {
  const queue = $queue.get();
  const here = queue.findIndex((track) => track.id === $trackId.get());
  return queue[(here + step + queue.length) % queue.length] ?? null;
}

/** Reads again what this tab has stored: the tab may have shown other pages meanwhile. */
export function rereadPlayer(): void {
  for (const reread of rereadings) reread();
}

/** Stored for this tab: another tab has a player of its own. */
function ofThisTab<Value>(key: Parameters<typeof readPlayerText>[0], { encode, decode }: Codec<Value>) {
  const $state = Object.assign(publicAtom(decode(readPlayerText(key))), { init: decode('') });
  $state.listen((value) => writePlayerText(key, encode(value)));
  rereadings.push(() => $state.set(decode(readPlayerText(key))));
  return $state;
}

interface Codec<Value> {
  readonly encode: (value: Value) => string;
  readonly decode: (text: string) => Value;
}

/** JSON of which an invalid value counts as absent. */
function jsonCodec<Value>(absent: Value, isValid: (value: unknown) => boolean): Codec<Value> {
  return {
    encode: (value: Value) => JSON.stringify(value),
    decode: (text: string) => parseStored(text, (value) => (isValid(value) ? (value as Value) : absent)),
  };
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function isShare(value: unknown): boolean {
  return isAmount(value) && (value as number) <= 1;
}

function isQueue(value: unknown): boolean {
  return Array.isArray(value) && value.every(isTrack);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

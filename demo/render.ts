import type { SoundSpec } from './catalogue.ts';
import { performEffect } from './effects/perform.ts';
import { encodeMp3 } from './encode.ts';
import { performMusic } from './music/perform.ts';
import { SAMPLE_RATE } from './synth/audio.ts';

export interface RenderedSound {
  mp3: Uint8Array;
  durationMs: number;
}

/** Synthesises and encodes one sound; the same spec gives the same bytes. */
export function renderSound(spec: Pick<SoundSpec, 'recipe' | 'title' | 'artist'>): RenderedSound {
  const { recipe } = spec;
  const sound = recipe.kind === 'music' ? performMusic(recipe) : performEffect(recipe);
  const samples = sound instanceof Float32Array ? sound.length : sound.left.length;
  const mp3 = encodeMp3(sound, { title: spec.title, artist: spec.artist, album: 'Demo' });
  return { mp3, durationMs: Math.round((samples * 1000) / SAMPLE_RATE) };
}

export { renderPicture } from './pictures/picture.ts';

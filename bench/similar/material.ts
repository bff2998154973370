import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import decode from 'audio-decode';
import { createMp3Encoder } from 'wasm-media-encoders';
import { type Catalogue, describeCatalogue } from '../../demo/catalogue.ts';
import { performEffect } from '../../demo/effects/perform.ts';
import { performMusic } from '../../demo/music/perform.ts';
import { SAMPLE_RATE } from '../../demo/synth/audio.ts';
import { createFeatureMeter } from '../../server/media/analysis/sound-features.ts';

/** A sound with what it belongs to. */
export interface Item {
  readonly family: string;
  readonly numbers: Float32Array;
}
/** Channels and their sample rate. */
export interface Audio {
  readonly channels: readonly Float32Array[];
  readonly rate: number;
}

/** Segments of each piece: one more than the neighbours that are judged. */
const SEGMENTS = 11;
const SEGMENT_SECONDS = 9;
const encoder = await createMp3Encoder();

/** Undefined for silence. */
export function measure(family: string, { channels, rate }: Audio, gain = 1): Item | undefined {
  const meter = createFeatureMeter(rate);
  meter.add(gain === 1 ? channels : channels.map((samples) => samples.map((sample) => sample * gain)));
  const numbers = meter.finish()?.numbers;
  return numbers && { family, numbers: Float32Array.from(numbers) };
}

/** The same sound in stereo at 64 kbit/s, at the sample rate that the encoder prefers or at that of the sound. */
export async function compress({ channels, rate }: Audio, keepsRate: boolean): Promise<Audio> {
  const [left = new Float32Array(), right = left] = channels;
  const outputSampleRate = keepsRate ? { outputSampleRate: rate as 44_100 } : {};
  encoder.configure({ sampleRate: rate, channels: 2, bitrate: 64, ...outputSampleRate });
  const body = Buffer.from(encoder.encode([left, right]));
  return decodeMp3(Buffer.concat([body, encoder.finalize()]));
}

async function decodeMp3(bytes: Buffer): Promise<Audio> {
  const parts: Float32Array[][] = [];
  let rate = SAMPLE_RATE;
  async function* feed(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  for await (const { channelData, sampleRate } of decode(feed(), 'mp3')) {
    rate = sampleRate;
    parts.push(channelData.map((samples) => Float32Array.from(samples)));
  }
  const channels = (parts[0] ?? []).map((_, channel) => {
    const all = parts.map((part) => part[channel] ?? new Float32Array());
    const joined = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const samples of all) {
      joined.set(samples, at);
      at += samples.length;
    }
    return joined;
  });
  return { channels, rate };
}

/** The sounds of the demo catalogue by which the model is made, and others of the same kinds with other parameters. */
export function synthesise(kind: 'music' | 'effect', each: number): { known: Item[]; heldOut: Item[] } {
  const recipes = describeCatalogue().sounds.map(({ recipe }) => recipe);
  const known: Item[] = [];
  const heldOut: Item[] = [];
  const seen = new Set<string>();
  for (const recipe of recipes) {
    if (recipe.kind !== kind) continue;
    const family = toFamily(recipe);
    add(known, family, perform(recipe));
    if (seen.has(family)) continue;
    seen.add(family);
    for (let index = 0; index < each; index += 1) {
      const share = each < 2 ? 0 : index / (each - 1) - 0.5;
      add(
        heldOut,
        family,
        perform(
          recipe.kind === 'music'
            ? {
                ...recipe,
                seed: 7_000 + index,
                bpm: Math.round(recipe.bpm * (1 + 0.2 * share)),
                bars: 8,
                transpose: index % 12,
              }
            : {
                ...recipe,
                seed: 7_000 + index,
                pitch: recipe.pitch * (1 + 0.3 * share),
                seconds: recipe.seconds * (1 + 0.4 * share),
              },
        ),
      );
    }
  }
  return { known, heldOut };
}

type Recipe = Catalogue['sounds'][number]['recipe'];

function toFamily(recipe: Recipe): string {
  return recipe.kind === 'music' ? recipe.mood : recipe.effect;
}

function perform(recipe: Recipe): Audio {
  const sound = recipe.kind === 'music' ? performMusic(recipe) : performEffect(recipe);
  return {
    channels: sound instanceof Float32Array ? [sound] : [sound.left, sound.right],
    rate: SAMPLE_RATE,
  };
}

function add(items: Item[], family: string, audio: Audio): void {
  const item = measure(family, audio);
  if (item !== undefined) items.push(item);
}

/** The MP3 files below a folder, at most `limit` of them, evenly chosen. */
export async function listRecordings(folder: string, limit: number): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  const files = all.filter((name) => name.endsWith('.mp3')).sort();
  const step = Math.max(1, files.length / limit);
  return Array.from({ length: Math.min(limit, files.length) }, (_, index) =>
    join(folder, files[Math.floor(index * step)] ?? ''),
  );
}

export async function readRecording(path: string): Promise<Audio> {
  return decodeMp3(await readFile(path));
}

/** Eleven segments of each long piece. */
export function cut(family: string, { channels, rate }: Audio): Item[] {
  const size = SEGMENT_SECONDS * rate;
  if ((channels[0]?.length ?? 0) < SEGMENTS * size) return [];
  return Array.from({ length: SEGMENTS }, (_, index) =>
    measure(family, {
      channels: channels.map((samples) => samples.subarray(index * size, (index + 1) * size)),
      rate,
    }),
  ).filter((item) => item !== undefined);
}

/** Recordings whose names differ only in numbers and degrees are of one kind. */
export function toKind(path: string): string {
  const name = basename(path, '.mp3').toLowerCase();
  return `${basename(dirname(path))}/${name.replace(/[-_. ]?(\d+|soft(est)?|med(ium)?|hard(est)?|hi|lo|mid)\b/g, '').replace(/\d+$/, '')}`;
}

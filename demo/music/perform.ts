import { type Random, seededRandom } from '../random.ts';
import { addPanned, SAMPLE_RATE, scale, type Stereo, stereoSilence, toSamples } from '../synth/audio.ts';
import { type DrumName, drums } from '../synth/drums.ts';
import { fadeEnds } from '../synth/envelopes.ts';
import { filter } from '../synth/filters.ts';
import { type InstrumentName, instruments } from '../synth/instruments.ts';
import { masterStereo } from '../synth/master.ts';
import { pinkNoise } from '../synth/oscillators.ts';
import { addReverb } from '../synth/space.ts';
import { arrange, type Track } from './arrange.ts';
import { type MusicRecipe, musicSeconds } from './form.ts';
import type { Mood } from './mood.ts';
import { midiToHertz } from './theory.ts';

/** Time for tails after the last beat; a loop's tail is mixed into its start. */
const TAIL_SECONDS = 4;
const FADE_SECONDS = 5;
/** RMS of the loud parts, dBFS. */
const LOUDNESS_DB = -16;

/** Cache of rendered notes: a piece repeats most of them. */
type NoteCache = Map<string, Float32Array>;

export function performMusic(recipe: MusicRecipe): Stereo {
  const { mood, tracks, drums: hits } = arrange(recipe);
  const random = seededRandom(`perform ${recipe.mood} ${recipe.seed}`);
  const seconds = musicSeconds(recipe);
  const tail = recipe.ending === 'loop' ? TAIL_SECONDS : 0;
  const dry = stereoSilence(seconds + tail);
  const send = stereoSilence(seconds + tail);
  const cache: NoteCache = new Map();
  for (const track of tracks) playTrack(track, recipe, mood, { dry, send }, cache, random);
  const drumLevel = 0.5 * (mood.drumLevel ?? 1);
  for (const { drum, beat, velocity } of hits) {
    const at = swung(beat, mood) * (60 / recipe.bpm) + (mood.loose ?? 0) * (random() - 0.5) * 0.5;
    const sound = drumSound(drum);
    const pan = drum.toLowerCase().includes('hat') || drum === 'shaker' || drum === 'ride' ? 0.3 : 0;
    addPanned(dry, sound, Math.max(0, at), velocity * drumLevel, pan);
    addPanned(send, sound, Math.max(0, at), velocity * drumLevel * (drum.includes('ick') ? 0.1 : 0.5), pan);
  }
  addReverb(dry, send, mood.room);
  if (mood.vinyl) ageRecord(dry, random);
  return finish(dry, recipe, seconds);
}

interface Buses {
  dry: Stereo;
  send: Stereo;
}

function playTrack(
  track: Track,
  recipe: MusicRecipe,
  mood: Mood,
  buses: Buses,
  cache: NoteCache,
  random: Random,
) {
  const { part, instrument } = track;
  const beatSeconds = 60 / recipe.bpm;
  const sendLevel = (part.send ?? 1) * (part.role === 'bass' ? 0.25 : 1);
  track.notes.forEach((note, index) => {
    const loose = mood.loose ?? 0.002;
    const at = Math.max(0, swung(note.beat, mood) * beatSeconds + loose * (random() - 0.5));
    const sound = noteSound(instrument, note.midi, note.beats * beatSeconds, cache);
    const gain = part.level * note.velocity ** 1.4 * (0.94 + 0.12 * random());
    const pan = (part.pan ?? 0) + (part.spread ?? 0) * (index % 2 === 0 ? 1 : -1);
    addPanned(buses.dry, sound, at, gain, Math.max(-1, Math.min(1, pan)));
    addPanned(buses.send, sound, at, gain * sendLevel, Math.max(-1, Math.min(1, pan)));
  });
}

const drumSounds = new Map<DrumName, Float32Array>();

/** The same hit in every piece: drums are few, so they are cached. */
function drumSound(name: DrumName): Float32Array {
  const sound = drumSounds.get(name) ?? drums[name](seededRandom(`drum ${name}`));
  drumSounds.set(name, sound);
  return sound;
}

function noteSound(name: InstrumentName, midi: number, gate: number, cache: NoteCache): Float32Array {
  const rounded = Math.max(0.05, Math.round(gate * 40) / 40);
  const key = `${name} ${midi} ${rounded}`;
  let sound = cache.get(key);
  if (!sound) {
    sound = instruments[name](midiToHertz(midi), rounded, seededRandom(key));
    cache.set(key, sound);
  }
  return sound;
}

/** Delays every second eighth or sixteenth. */
function swung(beat: number, mood: Mood): number {
  if (!mood.swing) return beat;
  const unit = mood.swingUnit === 'sixteenth' ? 0.5 : 1;
  const within = (beat % unit) / unit;
  const moved = within < 0.5 ? within * (1 + mood.swing) : 1 - (1 - within) * (1 - mood.swing);
  return beat - (beat % unit) + moved * unit;
}

/** Attenuates treble and adds hiss and crackle, like an old record. */
function ageRecord(sound: Stereo, random: Random): void {
  const seconds = sound.left.length / SAMPLE_RATE;
  for (const channel of [sound.left, sound.right]) {
    filter(channel, 'low', 5200);
    const hiss = scale(filter(pinkNoise(seconds, random), 'high', 900), 0.012);
    for (let i = 0; i < channel.length; i++) channel[i]! += hiss[i]!;
    for (let n = 0; n < seconds * 7; n++) {
      const at = Math.floor(random() * (channel.length - 40));
      const level = 0.02 + 0.07 * random() ** 3;
      for (let i = 0; i < 30; i++) channel[at + i]! += level * (random() * 2 - 1) * (1 - i / 30);
    }
  }
}

function finish(mixed: Stereo, recipe: MusicRecipe, seconds: number): Stereo {
  const length = toSamples(seconds);
  const sound = { left: mixed.left.slice(0, length), right: mixed.right.slice(0, length) };
  if (recipe.ending === 'loop') {
    for (const side of ['left', 'right'] as const)
      for (let i = length; i < mixed[side].length; i++)
        sound[side][(i - length) % length]! += mixed[side][i]!;
  }
  masterStereo(sound, LOUDNESS_DB);
  const fade = recipe.ending === 'fade' ? FADE_SECONDS : recipe.ending === 'final' ? 1.2 : 0;
  for (const channel of [sound.left, sound.right]) fadeEnds(channel, 0.002, Math.max(fade, 0.002));
  return sound;
}

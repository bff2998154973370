import { pick, seededRandom } from '../random.ts';
import type { DrumName } from '../synth/drums.ts';
import type { InstrumentName } from '../synth/instruments.ts';
import { type MusicRecipe, type Section, sectionsOf } from './form.ts';
import { composeMelody } from './melody.ts';
import { BAR_BEATS, type Mood, type Part } from './mood.ts';
import { moods } from './moods.ts';
import { arpeggiate, bassLine, comp, type NoteEvent } from './patterns.ts';
import { type Chord, parseChord, parseProgression, scales, voice } from './theory.ts';

export interface Track {
  instrument: InstrumentName;
  part: Part;
  notes: NoteEvent[];
}

export interface DrumHit {
  drum: DrumName;
  beat: number;
  velocity: number;
}

export interface Score {
  mood: Mood;
  tracks: Track[];
  drums: DrumHit[];
}

/** Converts a recipe into notes; beats are quarter notes, pitches already transposed. */
export function arrange(recipe: MusicRecipe): Score {
  const mood: Mood = moods[recipe.mood];
  const random = seededRandom(`arrange ${recipe.mood} ${recipe.seed}`);
  const themes = {
    first: parseProgression(pick(random, mood.first)),
    second: parseProgression(pick(random, mood.second)),
  };
  const sections = sectionsOf(recipe.bars);
  const bars = sections.flatMap((section) => {
    const progression = section.theme === 'second' ? themes.second : themes.first;
    return Array.from({ length: section.bars }, (_, i) => progression[i % progression.length] as Chord[]);
  });
  if (recipe.ending === 'final') bars.push([parseChord(mood.home)]);
  const tracks: Track[] = [];
  for (const part of mood.parts) {
    const instrument = pick(random, part.instruments);
    const notes = writePart(recipe, mood, part, sections, bars);
    const audible = notes.filter((note) => isPlaying(part.from ?? 0, note.beat / BAR_BEATS, sections));
    const last = recipe.ending === 'final' ? closingNotes(part, bars) : [];
    tracks.push({ instrument, part, notes: [...audible, ...last] });
  }
  for (const track of tracks) for (const note of track.notes) note.midi += recipe.transpose;
  return { mood, tracks, drums: writeDrums(mood, sections, recipe) };
}

function isPlaying(from: number, bar: number, sections: readonly Section[]): boolean {
  const section = sections.find(
    (one) => bar + 0.001 >= one.firstBar && bar + 0.001 < one.firstBar + one.bars,
  );
  return section !== undefined && section.intensity >= from;
}

function writePart(
  recipe: MusicRecipe,
  mood: Mood,
  part: Part,
  sections: Section[],
  bars: Chord[][],
): NoteEvent[] {
  if (part.role === 'melody') {
    return sections.flatMap((section) => {
      // The same seed for the same theme, so that it repeats exactly.
      const random = seededRandom(`melody ${recipe.seed} ${section.theme === 'second' ? 'second' : 'first'}`);
      const chords = bars.slice(section.firstBar, section.firstBar + section.bars);
      const plan = { density: part.density, scale: scales[mood.scale], centre: part.centre };
      return composeMelody(chords, section.firstBar, plan, section.theme === 'second' ? 4 : 0, random);
    });
  }
  const random = seededRandom(`${part.role} ${recipe.seed}`);
  const events: NoteEvent[] = [];
  let voicing: number[] = [];
  bars.slice(0, recipe.bars).forEach((bar, index) => {
    const length = BAR_BEATS / bar.length;
    bar.forEach((chord, place) => {
      const beat = index * BAR_BEATS + place * length;
      voicing = voice(chord, voicing, part.centre);
      if (part.role === 'chords') events.push(...comp(part.pattern, voicing, beat, length));
      if (part.role === 'arpeggio') events.push(...arpeggiate(part.pattern, voicing, beat, length));
      if (part.role === 'bass') {
        const next = bar[place + 1] ?? (bars[(index + 1) % bars.length] as Chord[])[0] ?? chord;
        events.push(...bassLine(part.pattern, chord, next, beat, length, part.centre, random));
      }
    });
  });
  return events;
}

function closingNotes(part: Part, bars: readonly Chord[][]): NoteEvent[] {
  const beat = (bars.length - 1) * BAR_BEATS;
  const chord = (bars.at(-1) as Chord[])[0] as Chord;
  const held = { beat, beats: BAR_BEATS, velocity: 0.85 };
  const voicing = voice(chord, [], part.centre);
  if (part.role === 'chords') return voicing.map((midi, i) => ({ ...held, beat: beat + i * 0.04, midi }));
  if (part.role === 'arpeggio')
    return voicing.map((midi, i) => ({ ...held, beat: beat + i * 0.25, midi, velocity: 0.7 }));
  return [{ ...held, midi: voice({ ...chord, tones: [chord.root] }, [], part.centre)[0] ?? 72 }];
}

const LEVELS: Record<string, number> = { X: 1, x: 0.7, '-': 0.35 };

function writeDrums(mood: Mood, sections: readonly Section[], recipe: MusicRecipe): DrumHit[] {
  const hits: DrumHit[] = [];
  const { fills } = mood;
  for (const section of sections) {
    for (const groove of mood.grooves) {
      if (section.intensity < (groove.from ?? 0)) continue;
      for (const [drum, lane] of Object.entries(groove.lanes) as [DrumName, string][]) {
        const steps = [...lane.replaceAll(' ', '')];
        for (let bar = 0; bar < section.bars; bar++) {
          const filling = fills && bar === section.bars - 1 && section.bars >= 4;
          steps.forEach((step, i) => {
            const velocity = LEVELS[step];
            if (velocity === undefined || (filling && i >= (BAR_BEATS - 1) * 4)) return;
            hits.push({ drum, beat: (section.firstBar + bar) * BAR_BEATS + i / 4, velocity });
          });
        }
      }
    }
    const end = (section.firstBar + section.bars) * BAR_BEATS;
    if (fills && section.bars >= 4 && section.intensity >= 0.6) {
      [0, 0.25, 0.5, 0.75].forEach((at, i) => {
        hits.push({
          drum: fills[Math.floor((i * fills.length) / 4)] as DrumName,
          beat: end - 1 + at,
          velocity: 0.5 + i * 0.15,
        });
      });
    }
    if (fills?.includes('lowTom') && section.intensity >= 0.85 && section.firstBar > 0)
      hits.push({ drum: 'crash', beat: section.firstBar * BAR_BEATS, velocity: 0.7 });
  }
  if (recipe.ending === 'final' && fills?.includes('lowTom'))
    hits.push({ drum: 'crash', beat: recipe.bars * BAR_BEATS, velocity: 0.8 });
  return hits;
}

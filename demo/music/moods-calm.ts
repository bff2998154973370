import type { Mood } from './mood.ts';

const bossa: Mood = {
  scale: 'major',
  first: ['CM9 CM9 Dm7 G7 Em7 A7 Dm7 G7', 'FM7 Fm6 Em7 A7 Dm7 G7 CM7 CM7'],
  second: ['Am7 D9 GM7 CM7 FM7 G7 CM7 CM7', 'FM7 FM7 Em7 A7 Dm9 G7 CM9 C6'],
  home: 'CM9',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'vibraphone'], level: 0.44, centre: 72, density: 'calm', from: 0.5, pan: 0.15 },
    { role: 'chords', instruments: ['guitar'], level: 0.47, centre: 60, pattern: 'bossa', pan: -0.2 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.5, centre: 40, pattern: 'bossa' },
    { role: 'chords', instruments: ['electricPiano'], level: 0.14, centre: 67, pattern: 'hold', from: 0.8, pan: 0.35 },
  ],
  grooves: [
    { lanes: { shaker: 'x-x- x-x- x-x- x-x-' } },
    { from: 0.5, lanes: { rim: 'x..x ..x. ..x. .x..', softKick: 'x..- x..- x..- x..-' } },
  ],
  drumLevel: 0.7,
  room: { decaySeconds: 1, damping: 0.5, wet: 0.17 },
  loose: 0.006,
};

const bittersweet: Mood = {
  scale: 'minor',
  first: ['Am F C G Am F C G', 'FM7 G Em7 Am FM7 G Am Am', 'Am Em F C Dm Am Dm E7'],
  second: ['FM7 G7 Em7 Am7 Dm7 E7 Am Am', 'F G Am Am F G C E7'],
  home: 'Am',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['piano', 'flute', 'strings'], level: 0.5, centre: 74, density: 'calm', from: 0.4 },
    { role: 'arpeggio', instruments: ['piano'], level: 0.34, centre: 60, pattern: 'upDown', spread: 0.2 },
    { role: 'chords', instruments: ['strings', 'pad'], level: 0.16, centre: 64, pattern: 'hold', from: 0.6 },
    { role: 'bass', instruments: ['softBass', 'pluckedBass'], level: 0.42, centre: 40, pattern: 'root', from: 0.5 },
  ],
  grooves: [
    {
      from: 0.9,
      lanes: { softKick: 'X... ..x. ..x. ....', rim: '.... x... .... x...', shaker: 'x-x- x-x- x-x- x-x-' },
    },
  ],
  drumLevel: 0.6,
  room: { decaySeconds: 2, damping: 0.4, wet: 0.28 },
  loose: 0.008,
};

const pianoSolo: Mood = {
  scale: 'major',
  first: ['C G Am Em F C F G', 'CM7 Em7 FM7 G FM7 Em7 Dm7 G7', 'Am Em F C F C Dm7 G'],
  second: ['FM7 G7 Em7 Am7 Dm7 G7 C C7', 'Am G F Em Dm C Dm7 G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['piano'], level: 0.62, centre: 76, density: 'middle', pan: 0.15 },
    { role: 'arpeggio', instruments: ['piano'], level: 0.36, centre: 57, pattern: 'alberti', pan: -0.15, spread: 0.1 },
    { role: 'bass', instruments: ['piano'], level: 0.4, centre: 40, pattern: 'root', pan: -0.2 },
  ],
  grooves: [],
  room: { decaySeconds: 1.8, damping: 0.35, wet: 0.24 },
  loose: 0.012,
};

const musicBox: Mood = {
  scale: 'major',
  first: ['C G Am Em F C F G', 'C Am F G Em Am Dm G'],
  second: ['F G Em Am Dm G C C', 'Am Em F C F C Dm G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['musicBox'], level: 0.55, centre: 84, density: 'middle', spread: 0.15 },
    { role: 'arpeggio', instruments: ['musicBox'], level: 0.26, centre: 70, pattern: 'up', spread: 0.4 },
    { role: 'bass', instruments: ['musicBox'], level: 0.24, centre: 57, pattern: 'root' },
  ],
  grooves: [],
  room: { decaySeconds: 2.2, damping: 0.2, wet: 0.3 },
  loose: 0.01,
};

const ambient: Mood = {
  scale: 'lydian',
  first: ['CM9 CM9 Am7 Am7 FM9 FM9 Em7 Em7', 'CM7 CM7 D D Em7 Em7 CM7 CM7'],
  second: ['Am7 Am7 Em7 Em7 FM7 FM7 CM9 CM9', 'FM9 FM9 CM9 CM9 Em7 Em7 D D'],
  home: 'CM9',
  // prettier-ignore
  parts: [
    { role: 'chords', instruments: ['pad'], level: 0.24, centre: 60, pattern: 'hold', spread: 0.4 },
    { role: 'chords', instruments: ['strings'], level: 0.13, centre: 67, pattern: 'hold', from: 0.6, spread: 0.5 },
    { role: 'arpeggio', instruments: ['bell', 'vibraphone'], level: 0.28, centre: 78, pattern: 'sparse', spread: 0.7, send: 1.8 },
    { role: 'bass', instruments: ['softBass'], level: 0.22, centre: 36, pattern: 'pedal' },
    { role: 'melody', instruments: ['flute', 'bell'], level: 0.32, centre: 76, density: 'calm', from: 0.8, send: 1.8 },
  ],
  grooves: [],
  room: { decaySeconds: 5, damping: 0.45, wet: 0.5 },
};

const lofi: Mood = {
  scale: 'dorian',
  first: ['Dm9 G9 CM9 Am7', 'FM7 Em7 Dm7 CM7', 'Am7 Dm9 G9 CM9'],
  second: ['FM9 E7 Am7 C9', 'Dm9 Em7 FM9 G9'],
  home: 'Am7',
  swing: 0.22,
  swingUnit: 'sixteenth',
  // prettier-ignore
  parts: [
    { role: 'chords', instruments: ['electricPiano'], level: 0.36, centre: 60, pattern: 'halves', spread: 0.15 },
    { role: 'melody', instruments: ['vibraphone', 'guitar', 'electricPiano'], level: 0.48, centre: 72, density: 'calm', from: 0.5, pan: 0.2 },
    { role: 'bass', instruments: ['softBass'], level: 0.4, centre: 38, pattern: 'syncopated', from: 0.3 },
  ],
  grooves: [
    { from: 0.4, lanes: { kick: 'X... ..x. .x.. ..x.', snare: '.... x... .... x..-' } },
    { from: 0.3, lanes: { hat: 'x.-. x.-. x.-- x.-.' } },
  ],
  drumLevel: 0.62,
  room: { decaySeconds: 0.8, damping: 0.7, wet: 0.14 },
  loose: 0.014,
  vinyl: true,
};

const wa: Mood = {
  scale: 'miyakobushi',
  first: ['A5 A5 F E5 A5 Dm E5 A5', 'Am Am F F Dm Dm E5 A5'],
  second: ['F F C C Dm E5 Am Am', 'Dm Dm Am Am F E5 A5 A5'],
  home: 'A5',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['shakuhachi', 'koto'], level: 0.5, centre: 74, density: 'calm', from: 0.4 },
    { role: 'arpeggio', instruments: ['koto'], level: 0.4, centre: 64, pattern: 'slow', spread: 0.35 },
    { role: 'bass', instruments: ['koto'], level: 0.34, centre: 45, pattern: 'root' },
    { role: 'chords', instruments: ['pad'], level: 0.08, centre: 57, pattern: 'hold', from: 0.7 },
  ],
  grooves: [
    { from: 0.6, lanes: { taiko: 'X... .... .... ..x.' } },
    { from: 0.85, lanes: { taikoRim: '.... ..x. .... x...', woodBlock: '.... .... ..x. ....' } },
  ],
  drumLevel: 0.6,
  room: { decaySeconds: 2.4, damping: 0.4, wet: 0.3 },
  loose: 0.01,
};

const horror: Mood = {
  scale: 'octatonic',
  first: ['Am Am Ebm Ebm Am Am Bb Bb', 'Am Am Adim Adim Am Am Ebm Ebm'],
  second: ['Cm Cm Am Am Ebm Ebm Am Am', 'Adim Adim Cm Cm Am Am Ab Ab'],
  home: 'Adim',
  // prettier-ignore
  parts: [
    { role: 'chords', instruments: ['pad'], level: 0.24, centre: 55, pattern: 'hold', spread: 0.5 },
    { role: 'melody', instruments: ['musicBox', 'bell'], level: 0.38, centre: 79, density: 'calm', send: 1.8, from: 0.3 },
    { role: 'bass', instruments: ['softBass'], level: 0.26, centre: 34, pattern: 'pedal' },
    { role: 'arpeggio', instruments: ['strings', 'piano'], level: 0.16, centre: 72, pattern: 'sparse', spread: 0.8, send: 1.6 },
  ],
  grooves: [{ from: 0.7, lanes: { taiko: '-... .... .... ....', lowTom: '..-. .... .... ....' } }],
  drumLevel: 0.7,
  room: { decaySeconds: 4, damping: 0.55, wet: 0.45 },
};

export const calmMoods = {
  bossa,
  bittersweet,
  pianoSolo,
  musicBox,
  ambient,
  lofi,
  wa,
  horror,
} satisfies Record<string, Mood>;

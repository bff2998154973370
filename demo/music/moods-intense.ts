import type { Mood } from './mood.ts';

const tension: Mood = {
  meter: 4,
  scale: 'harmonicMinor',
  first: ['Am Am Bb Bb Am Am E7 E7', 'Am Am Am Am F F E7 E7'],
  second: ['Dm Dm Am Am Bdim Bdim E7 E7', 'F F Dm Dm Bb Bb E7 E7'],
  home: 'Am',
  // prettier-ignore
  parts: [
    { role: 'arpeggio', instruments: ['shortStrings', 'marimba'], level: 0.3, centre: 62, pattern: 'octaves', spread: 0.2 },
    { role: 'bass', instruments: ['synthBass'], level: 0.36, centre: 36, pattern: 'eighths', from: 0.4 },
    { role: 'chords', instruments: ['strings'], level: 0.2, centre: 64, pattern: 'hold', from: 0.4 },
    { role: 'melody', instruments: ['brass', 'strings'], level: 0.28, centre: 67, density: 'calm', from: 0.7 },
  ],
  grooves: [
    { lanes: { hat: 'x.x. x.x. x.x. x.x.' } },
    { from: 0.5, lanes: { taiko: 'X... ..x. ..x. ....' } },
    { from: 0.8, lanes: { snare: '.... .... .... x.xx', lowTom: '..x. .... x... ..x.' } },
  ],
  drumLevel: 0.7,
  room: { decaySeconds: 1.8, damping: 0.5, wet: 0.22 },
  fills: ['lowTom', 'taiko'],
};

const battle: Mood = {
  meter: 4,
  scale: 'harmonicMinor',
  first: ['Am Am F G Am Am F E7', 'Am G F E7 Am G F/G Am'],
  second: ['F G Em Am F G Am E7', 'Dm E7 Am F Dm E7 Am Am'],
  home: 'Am',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['brass', 'lead'], level: 0.36, centre: 72, density: 'busy', from: 0.5 },
    { role: 'arpeggio', instruments: ['shortStrings'], level: 0.3, centre: 67, pattern: 'sixteenths', pan: 0.3 },
    { role: 'chords', instruments: ['brass', 'strings'], level: 0.2, centre: 60, pattern: 'stabs', pan: -0.3, from: 0.4 },
    { role: 'bass', instruments: ['synthBass'], level: 0.42, centre: 36, pattern: 'eighths' },
    { role: 'harmony', instruments: ['strings', 'choir'], level: 0.2, centre: 67, from: 0.85 },
  ],
  grooves: [
    { lanes: { kick: 'X..x ..x. X..x ..x.', snare: '.... X... .... X..x' } },
    { from: 0.6, lanes: { hat: 'x-x- x-x- x-x- x-x-' } },
    { from: 0.9, lanes: { taiko: 'X... ..X. ..X. X...' } },
  ],
  drumLevel: 0.75,
  room: { decaySeconds: 1.4, damping: 0.45, wet: 0.18 },
  fills: ['snare', 'tom', 'lowTom'],
};

const epic: Mood = {
  meter: 4,
  scale: 'minor',
  first: ['Am F C G Am F C G', 'Am Em F C Dm Am F G'],
  second: ['F G Am C F G Am Am', 'Dm Am F C Dm Am G G'],
  home: 'Am',
  parts: [
    {
      role: 'melody',
      instruments: ['brass', 'strings'],
      level: 0.36,
      centre: 70,
      density: 'calm',
      from: 0.6,
    },
    { role: 'chords', instruments: ['choir'], level: 0.2, centre: 62, pattern: 'hold', from: 0.4 },
    { role: 'arpeggio', instruments: ['shortStrings'], level: 0.26, centre: 62, pattern: 'up', spread: 0.3 },
    { role: 'bass', instruments: ['strings'], level: 0.4, centre: 40, pattern: 'root' },
    { role: 'harmony', instruments: ['brass'], level: 0.18, centre: 62, from: 0.85, pan: -0.3 },
  ],
  grooves: [
    { from: 0.3, lanes: { taiko: 'X... ..x. x... ....' } },
    { from: 0.7, lanes: { lowTom: '.... x..x .... x.xx' } },
    { from: 0.9, lanes: { snare: '.... X... .... X...' } },
  ],
  room: { decaySeconds: 2.6, damping: 0.45, wet: 0.3 },
  fills: ['taiko', 'lowTom'],
};

const chip: Mood = {
  meter: 4,
  scale: 'major',
  first: ['C G Am F C G F G', 'C Am F G Em Am Dm G', 'Am F G C Am F G E7'],
  second: ['F G Em Am Dm G C C', 'F G Am Am F G C G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['chipLead', 'chipSquare'], level: 0.4, centre: 76, density: 'busy', send: 0.2 },
    { role: 'arpeggio', instruments: ['chipEcho'], level: 0.22, centre: 67, pattern: 'sixteenths', send: 0.2, pan: 0.25 },
    { role: 'bass', instruments: ['chipTriangle'], level: 0.45, centre: 45, pattern: 'octaves', send: 0.1 },
    { role: 'harmony', instruments: ['chipEcho'], level: 0.2, centre: 70, from: 0.8, send: 0.2, pan: -0.25 },
  ],
  grooves: [
    {
      lanes: {
        chipKick: 'X... ..x. X... ....',
        chipSnare: '.... X... .... X...',
        chipHat: 'x.x. x.x. x.x. x.xx',
      },
    },
  ],
  drumLevel: 0.7,
  room: { decaySeconds: 0.4, damping: 0.5, wet: 0.08 },
  echo: { beats: 0.75, feedback: 0.25, wet: 0.1 },
  fills: ['chipSnare'],
};

const chipBattle: Mood = {
  ...chip,
  scale: 'harmonicMinor',
  first: ['Am Am F G Am Am F E7', 'Am G F E7 Am G F E7'],
  second: ['Dm E7 Am F Dm E7 Am Am', 'F G Em Am F G E7 E7'],
  home: 'Am',
  grooves: [
    {
      lanes: {
        chipKick: 'X.x. X.x. X.x. X.x.',
        chipSnare: '.... X... .... X.xX',
        chipHat: 'x-x- x-x- x-x- x-x-',
      },
    },
  ],
};

const electronic: Mood = {
  meter: 4,
  scale: 'minor',
  first: ['Am F C G', 'FM7 G Am Em'],
  second: ['F G Am C F G Am Am', 'Dm F Am G Dm F G E7'],
  home: 'Am',
  // prettier-ignore
  parts: [
    { role: 'chords', instruments: ['pad', 'strings'], level: 0.2, centre: 62, pattern: 'pulse', spread: 0.3 },
    { role: 'bass', instruments: ['synthBass'], level: 0.42, centre: 38, pattern: 'octaves', from: 0.4 },
    { role: 'arpeggio', instruments: ['chipEcho', 'marimba', 'lead'], level: 0.2, centre: 74, pattern: 'sixteenths', spread: 0.5, from: 0.2 },
    { role: 'melody', instruments: ['lead'], level: 0.34, centre: 74, density: 'middle', from: 0.7 },
  ],
  grooves: [
    { from: 0.3, lanes: { kick: 'X... X... X... X...' } },
    { from: 0.5, lanes: { openHat: '..x. ..x. ..x. ..x.', clap: '.... X... .... X...' } },
    { from: 0.8, lanes: { hat: 'x-.- x-.- x-.- x-.-' } },
  ],
  drumLevel: 0.9,
  room: { decaySeconds: 1.4, damping: 0.4, wet: 0.2 },
  echo: { beats: 0.75, feedback: 0.35, wet: 0.16 },
  fills: ['snare'],
};

const horror: Mood = {
  meter: 4,
  scale: 'octatonic',
  first: ['Am Am Ebm Ebm Am Am Bb Bb', 'Am Am Adim Adim Am Am Ebm Ebm'],
  second: ['Cm Cm Am Am Ebm Ebm Am Am', 'Adim Adim Cm Cm Am Am Ab Ab'],
  home: 'Adim',
  // prettier-ignore
  parts: [
    { role: 'chords', instruments: ['choir', 'pad'], level: 0.24, centre: 55, pattern: 'hold', spread: 0.5 },
    { role: 'melody', instruments: ['musicBox', 'bell'], level: 0.38, centre: 79, density: 'calm', send: 1.8, from: 0.3 },
    { role: 'bass', instruments: ['softBass'], level: 0.26, centre: 34, pattern: 'pedal' },
    { role: 'arpeggio', instruments: ['strings', 'piano'], level: 0.16, centre: 72, pattern: 'sparse', spread: 0.8, send: 1.6 },
  ],
  grooves: [{ from: 0.7, lanes: { taiko: '-... .... .... ....', lowTom: '..-. .... .... ....' } }],
  drumLevel: 0.7,
  room: { decaySeconds: 4, damping: 0.55, wet: 0.45 },
  echo: { beats: 1.5, feedback: 0.4, wet: 0.2 },
};

const mystery: Mood = {
  meter: 4,
  scale: 'dorian',
  first: ['Am7 D9 Am7 D9 FM7 E7 Am7 E7', 'Am Am7 FM7 E7 Am Am7 Dm7 E7'],
  second: ['Dm7 Am7 Dm7 Am7 FM7 Bm7b5 E7 E7', 'FM7 CM7 Bm7b5 E7 Am7 D9 E7 E7'],
  home: 'Am6',
  swing: 0.18,
  // prettier-ignore
  parts: [
    { role: 'bass', instruments: ['pluckedBass'], level: 0.42, centre: 41, pattern: 'walking' },
    { role: 'melody', instruments: ['vibraphone', 'marimba', 'flute'], level: 0.46, centre: 72, density: 'middle', from: 0.5, pan: 0.2 },
    { role: 'chords', instruments: ['electricPiano', 'shortStrings'], level: 0.24, centre: 62, pattern: 'charleston', pan: -0.3, from: 0.3 },
  ],
  grooves: [
    { lanes: { hat: '.... x... .... x...' } },
    { from: 0.6, lanes: { brush: 'x.-. x.-. x.-. x.-.', rim: '.... .... ..x. ....' } },
  ],
  drumLevel: 0.7,
  room: { decaySeconds: 1.2, damping: 0.5, wet: 0.2 },
};

const festival: Mood = {
  meter: 4,
  scale: 'yonanuki',
  first: ['C C G C C Am G C', 'Am Am C C G G Am Am'],
  second: ['F F C C Am Am G G', 'Am C G Am F C G C'],
  home: 'C5',
  swing: 0.26,
  parts: [
    {
      role: 'melody',
      instruments: ['shakuhachi', 'flute'],
      level: 0.46,
      centre: 79,
      density: 'busy',
      from: 0.3,
    },
    { role: 'chords', instruments: ['shamisen'], level: 0.34, centre: 62, pattern: 'offbeat', pan: -0.3 },
    {
      role: 'arpeggio',
      instruments: ['shamisen', 'koto'],
      level: 0.3,
      centre: 67,
      pattern: 'up',
      pan: 0.3,
      from: 0.7,
    },
    { role: 'bass', instruments: ['koto'], level: 0.3, centre: 45, pattern: 'root', from: 0.5 },
  ],
  grooves: [
    { lanes: { taiko: 'X... x.x. X... x...' } },
    { from: 0.4, lanes: { taikoRim: '..x. ..x. ..x. x.x.' } },
    { from: 0.7, lanes: { woodBlock: 'x... .... x... ....', bellTree: '.... x... .... x...' } },
  ],
  drumLevel: 0.8,
  room: { decaySeconds: 1.1, damping: 0.4, wet: 0.2 },
  fills: ['taiko', 'taikoRim'],
};

export const intenseMoods = {
  tension,
  battle,
  epic,
  chip,
  chipBattle,
  electronic,
  horror,
  mystery,
  festival,
} satisfies Record<string, Mood>;

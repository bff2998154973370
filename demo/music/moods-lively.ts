import type { Mood } from './mood.ts';

const royalRoad = 'FM7 G7 Em7 Am7';

const canon = 'C G Am Em F C F G';

const bright: Mood = {
  scale: 'major',
  first: ['C G/Bdim Am Em F C Dm7 G', 'C Am F G C Am F G', canon],
  second: [`${royalRoad} FM7 G7 C C7`, `${royalRoad} Dm7 G7 C C`],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'glockenspiel', 'lead'], level: 0.5, centre: 76, density: 'middle', pan: 0.1, from: 0.5 },
    { role: 'chords', instruments: ['guitar', 'electricPiano'], level: 0.28, centre: 62, pattern: 'strum', pan: -0.3 },
    { role: 'chords', instruments: ['strings'], level: 0.13, centre: 67, pattern: 'hold', from: 0.8, pan: 0.3 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.5, centre: 40, pattern: 'rootFifth', from: 0.3 },
    { role: 'arpeggio', instruments: ['glockenspiel', 'marimba'], level: 0.16, centre: 79, pattern: 'up', from: 0.9, spread: 0.5 },
  ],
  grooves: [
    { from: 0.3, lanes: { shaker: 'x-X- x-X- x-X- x-X-' } },
    { from: 0.6, lanes: { kick: 'X... ..x. X... ....', clap: '.... x... .... x...' } },
    { from: 0.9, lanes: { hat: '..x. ..x. ..x. ..x.' } },
  ],
  room: { decaySeconds: 1.1, damping: 0.4, wet: 0.18 },
  fills: ['tom', 'lowTom'],
};

const daily: Mood = {
  scale: 'major',
  first: ['C6 A7 Dm7 G7', 'CM7 Am7 Dm7 G7 Em7 A7 Dm7 G7'],
  second: ['FM7 Em7 Dm7 C6 FM7 Em7 D7 G7', 'Am7 Em7 FM7 C Dm7 Em7 FM7 G7'],
  home: 'C6',
  swing: 0.2,
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'vibraphone', 'marimba'], level: 0.48, centre: 74, density: 'middle', from: 0.5 },
    { role: 'chords', instruments: ['electricPiano'], level: 0.3, centre: 63, pattern: 'offbeat', pan: -0.3 },
    { role: 'bass', instruments: ['pluckedBass', 'softBass'], level: 0.5, centre: 41, pattern: 'rootFifth' },
  ],
  grooves: [
    { from: 0.4, lanes: { shaker: 'x.-. x.-. x.-. x.-.', rim: '.... x... .... x.-.' } },
    { from: 0.6, lanes: { softKick: 'X... ..-. x... ....' } },
  ],
  room: { decaySeconds: 0.8, damping: 0.5, wet: 0.15 },
  fills: ['woodBlock'],
};

const jazz: Mood = {
  scale: 'major',
  first: ['Dm9 G7 CM9 A7', 'Dm7 G7 Em7 A7 Dm7 G7 CM7 CM7'],
  second: ['FM7 Fm6 Em7 A7 D9 Dm7/G7 CM7 A7', 'Gm7 C7 FM7 FM7 Am7 D7 Dm7 G7'],
  home: 'CM9',
  swing: 0.32,
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['vibraphone', 'piano'], level: 0.46, centre: 74, density: 'busy', from: 0.5, pan: 0.2 },
    { role: 'chords', instruments: ['piano', 'electricPiano'], level: 0.3, centre: 62, pattern: 'charleston', pan: -0.25 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.62, centre: 42, pattern: 'walking' },
  ],
  grooves: [
    { lanes: { ride: 'X... x.-. X... x.-.', hat: '.... x... .... x...' } },
    { from: 0.6, lanes: { brush: '-... x... -... x.-.', softKick: 'x... -... x... -...' } },
  ],
  drumLevel: 0.75,
  room: { decaySeconds: 0.9, damping: 0.5, wet: 0.16 },
  loose: 0.008,
};

const battle: Mood = {
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

const chip: Mood = {
  scale: 'major',
  first: ['C G Am F C G F G', 'C Am F G Em Am Dm G', 'Am F G C Am F G E7'],
  second: ['F G Em Am Dm G C C', 'F G Am Am F G C G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['chipLead'], level: 0.4, centre: 76, density: 'busy', send: 0.2 },
    { role: 'arpeggio', instruments: ['chipEcho'], level: 0.22, centre: 67, pattern: 'sixteenths', send: 0.2, pan: 0.25 },
    { role: 'bass', instruments: ['chipTriangle'], level: 0.45, centre: 45, pattern: 'octaves', send: 0.1 },
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
  fills: ['chipSnare'],
};

const electronic: Mood = {
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
  fills: ['snare'],
};

export const livelyMoods = { bright, daily, jazz, battle, chip, electronic } satisfies Record<string, Mood>;

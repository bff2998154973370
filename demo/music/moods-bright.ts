import type { Mood } from './mood.ts';

const royalRoad = 'FM7 G7 Em7 Am7';
const canon = 'C G Am Em F C F G';

const bright: Mood = {
  meter: 4,
  scale: 'major',
  first: ['C G/Bdim Am Em F C Dm7 G', 'C Am F G C Am F G', canon],
  second: [`${royalRoad} FM7 G7 C C7`, `${royalRoad} Dm7 G7 C C`],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'glockenspiel', 'lead'], level: 0.5, centre: 76, density: 'middle', pan: 0.1, from: 0.5 },
    { role: 'chords', instruments: ['guitar', 'electricPiano', 'ukulele'], level: 0.28, centre: 62, pattern: 'strum', pan: -0.3 },
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
  meter: 4,
  scale: 'major',
  first: ['C6 A7 Dm7 G7', 'CM7 Am7 Dm7 G7 Em7 A7 Dm7 G7'],
  second: ['FM7 Em7 Dm7 C6 FM7 Em7 D7 G7', 'Am7 Em7 FM7 C Dm7 Em7 FM7 G7'],
  home: 'C6',
  swing: 0.2,
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'vibraphone', 'marimba'], level: 0.48, centre: 74, density: 'middle', from: 0.5 },
    { role: 'chords', instruments: ['ukulele', 'electricPiano'], level: 0.3, centre: 63, pattern: 'offbeat', pan: -0.3 },
    { role: 'bass', instruments: ['pluckedBass', 'softBass'], level: 0.5, centre: 41, pattern: 'rootFifth' },
    { role: 'harmony', instruments: ['glockenspiel', 'flute'], level: 0.16, centre: 72, from: 0.85, pan: 0.4 },
  ],
  grooves: [
    { from: 0.4, lanes: { shaker: 'x.-. x.-. x.-. x.-.', rim: '.... x... .... x.-.' } },
    { from: 0.6, lanes: { softKick: 'X... ..-. x... ....' } },
  ],
  room: { decaySeconds: 0.8, damping: 0.5, wet: 0.15 },
  fills: ['woodBlock'],
};

const cozy: Mood = {
  meter: 4,
  scale: 'majorPentatonic',
  first: ['C F C G C F G C', 'C Em F C F C Dm G'],
  second: ['F C Dm Am F C Dm G', 'Am Em F C F Em Dm G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['glockenspiel', 'flute', 'marimba'], level: 0.46, centre: 77, density: 'calm', from: 0.4 },
    { role: 'arpeggio', instruments: ['guitar', 'ukulele', 'harp'], level: 0.32, centre: 62, pattern: 'alberti', spread: 0.25 },
    { role: 'bass', instruments: ['softBass'], level: 0.28, centre: 41, pattern: 'root', from: 0.4 },
    { role: 'chords', instruments: ['pad', 'strings'], level: 0.1, centre: 64, pattern: 'hold', from: 0.8 },
  ],
  grooves: [{ from: 0.8, lanes: { shaker: 'x.-. x.-. x.-. x.-.', woodBlock: '.... x... .... x.x.' } }],
  drumLevel: 0.6,
  room: { decaySeconds: 1.3, damping: 0.45, wet: 0.22 },
  loose: 0.006,
};

const bossa: Mood = {
  meter: 4,
  scale: 'major',
  first: ['CM9 CM9 Dm7 G7 Em7 A7 Dm7 G7', 'FM7 Fm6 Em7 A7 Dm7 G7 CM7 CM7'],
  second: ['Am7 D9 GM7 CM7 FM7 G7 CM7 CM7', 'FM7 FM7 Em7 A7 Dm9 G7 CM9 C6'],
  home: 'CM9',
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['flute', 'vibraphone'], level: 0.44, centre: 72, density: 'calm', from: 0.5, pan: 0.15 },
    { role: 'chords', instruments: ['guitar'], level: 0.36, centre: 60, pattern: 'bossa', pan: -0.2 },
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

const acoustic: Mood = {
  meter: 4,
  scale: 'major',
  first: ['C Am7 F G', 'C Em7 F G F Em7 Dm7 G', 'C Em F G'],
  second: ['F G Em Am Dm7 G C C7', 'Am F C G Am F G G'],
  home: 'C',
  // prettier-ignore
  parts: [
    { role: 'arpeggio', instruments: ['guitar'], level: 0.42, centre: 60, pattern: 'upDown', spread: 0.3 },
    { role: 'melody', instruments: ['guitar', 'flute', 'harp'], level: 0.48, centre: 74, density: 'middle', from: 0.5, pan: 0.2 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.42, centre: 40, pattern: 'root', from: 0.4 },
    { role: 'chords', instruments: ['strings'], level: 0.1, centre: 65, pattern: 'hold', from: 0.9 },
  ],
  grooves: [{ from: 0.8, lanes: { shaker: 'x-x- X-x- x-x- X-x-', softKick: 'X... .... x.x. ....' } }],
  drumLevel: 0.6,
  room: { decaySeconds: 1.2, damping: 0.4, wet: 0.2 },
  loose: 0.007,
};

const comedy: Mood = {
  meter: 4,
  scale: 'major',
  first: ['C C G7 G7 G7 G7 C C', 'C A7 D7 G7 C A7 D7/G7 C'],
  second: ['F F C C D7 D7 G7 G7', 'Am E7 Am E7 F C D7 G7'],
  home: 'C',
  swing: 0.28,
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['marimba', 'chipSquare', 'flute'], level: 0.48, centre: 74, density: 'busy', from: 0.4 },
    { role: 'chords', instruments: ['marimba', 'shortStrings'], level: 0.28, centre: 64, pattern: 'offbeat', pan: -0.3, from: 0.4 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.55, centre: 40, pattern: 'rootFifth' },
  ],
  grooves: [
    { lanes: { woodBlock: 'x... x.x. x... x.x.' } },
    { from: 0.6, lanes: { kick: 'X... .... X... ....', brush: '.... x... .... x...' } },
  ],
  room: { decaySeconds: 0.6, damping: 0.5, wet: 0.14 },
  fills: ['woodBlock', 'rim'],
};

const christmas: Mood = {
  meter: 4,
  scale: 'major',
  first: ['C Am Dm7 G7 C E7 F G7', 'CM7 Em7 FM7 G7 Am7 D7 Dm7 G7'],
  second: ['FM7 G7 Em7 Am7 Dm7 G7 C C7', 'F Fm6 C A7 D7 D7 G7 G7'],
  home: 'C6',
  swing: 0.12,
  // prettier-ignore
  parts: [
    { role: 'melody', instruments: ['bell', 'glockenspiel', 'musicBox'], level: 0.54, centre: 79, density: 'middle', from: 0.4 },
    { role: 'chords', instruments: ['strings', 'choir'], level: 0.2, centre: 66, pattern: 'hold', pan: 0.2 },
    { role: 'chords', instruments: ['piano'], level: 0.2, centre: 62, pattern: 'quarter', pan: -0.2, from: 0.4 },
    { role: 'bass', instruments: ['pluckedBass'], level: 0.45, centre: 41, pattern: 'rootFifth', from: 0.4 },
  ],
  grooves: [
    { lanes: { sleigh: 'X.x. X.x. X.x. X.x.' } },
    { from: 0.8, lanes: { softKick: 'X... .... X... ....', brush: '.... x... .... x...' } },
  ],
  room: { decaySeconds: 1.7, damping: 0.3, wet: 0.26 },
  fills: ['bellTree'],
};

const jazz: Mood = {
  meter: 4,
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

export const brightMoods = { bright, daily, cozy, bossa, acoustic, comedy, christmas, jazz } satisfies Record<
  string,
  Mood
>;

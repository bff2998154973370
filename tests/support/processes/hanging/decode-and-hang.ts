/** A process that decodes a sound of many hours, and reports when it has started. */
import { createPeaksPool } from '#server/media/peaks.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';

const reading = createPeaksPool(1).readSound(makeLongMp3(100_000_000, 1));
process.send?.('decoding');
await reading;

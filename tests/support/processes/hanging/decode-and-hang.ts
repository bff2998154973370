/** A process that decodes a sound of many hours, and reports when it has started. */
import { createDecoder } from '#server/media/audio/decoder.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';

const decoding = createDecoder().decode(makeLongMp3(100_000_000, 1));
process.send?.('decoding');
await decoding;

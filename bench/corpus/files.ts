import type { CorpusFile } from './file.ts';
import { MP3_OF_FFMPEG, MP3_OF_LAME } from './mp3-files.ts';
import { M4A_FILES } from './m4a-files.ts';
import { REFUSED_FILES } from './refused-files.ts';
import { TAGGED_FILES } from './tagged-files.ts';

export const CORPUS: readonly CorpusFile[] = [
  ...MP3_OF_LAME,
  ...MP3_OF_FFMPEG,
  ...M4A_FILES,
  ...TAGGED_FILES,
  ...REFUSED_FILES,
];

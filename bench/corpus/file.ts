/** How long each sound is. */
export const SECONDS = 2.5;

/** A signal that nobody else has: a rising tone on the left, a steady one on the right. */
export interface Signal {
  readonly sampleRateHz: number;
  readonly channels: number;
}

export interface Work {
  /** The signal as WAV. */
  readonly wav: string;
  /** The file to be made. */
  readonly to: string;
  /** A small JPEG. */
  readonly cover: string;
}

export interface CorpusFile {
  /** With the ending that it is sent under. */
  readonly name: string;
  readonly signal?: Partial<Signal>;
  make(work: Work): void;
  /** What it says its title is; absent, it says nothing. */
  readonly title?: string;
  readonly isRefused?: true;
}

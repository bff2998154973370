/** The duration of each sound. */
export const SECONDS = 2.5;

/** A unique signal: a rising tone on the left, a steady one on the right. */
export interface Signal {
  readonly sampleRateHz: number;
  readonly channels: number;
}

export interface Work {
  /** The signal as WAV. */
  readonly wav: string;
  /** The path of the file to create. */
  readonly to: string;
  /** A small JPEG. */
  readonly cover: string;
}

export interface CorpusFile {
  /** With its extension. */
  readonly name: string;
  readonly signal?: Partial<Signal>;
  make(work: Work): void;
  /** The title in its tags; absent if it has none. */
  readonly title?: string;
  readonly isRefused?: true;
}

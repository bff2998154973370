/** A parser of ours that strangers feed, and what must hold for any bytes. */
export interface Target {
  readonly name: string;
  /** The ends of the paths of its files: an input that reaches new code of them is kept. */
  readonly files: readonly string[];
  /** Inputs to start from. */
  seeds(): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
  /** Bytes that the format gives a meaning: names, marks, keywords. Texts are Latin-1. */
  readonly tokens: readonly (string | Uint8Array)[];
  /** The longest input that is made. */
  readonly bytesMax: number;
  /** Reads an input, which it may change. Returns the length of what it made of it, if that could be large. */
  read(input: Buffer): Promise<number | void> | number | void;
  /** Whether the error is the one that the parser documents for input that it does not accept. */
  isRefusal(error: unknown): boolean;
  /** The largest result of an input of so many bytes. */
  outputMax?(inputBytes: number): number;
  /** For one input; 600 ms if it is not given. Our machines need 20 ms at most. */
  readonly processorMsMax?: number;
  /** Repairs checksums, which mutations nearly always break. Half of the inputs pass through it. */
  repair?(input: Buffer): Buffer;
}

/** How long to go on: a number of inputs, which is the same run each time, or a processor time. */
export interface Budget {
  readonly seed: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Fault {
  readonly what: string;
  readonly input: Uint8Array;
}

export interface Report {
  readonly runs: number;
  /** Of processor time. */
  readonly perSecond: number;
  /** Inputs that the parser did not refuse. */
  readonly accepted: number;
  /** Inputs that reached new code, the seeds among them. */
  readonly kept: number;
  /** The share of the code of functions that the seeds reach, and that was reached in the end. */
  readonly seedShare: number;
  readonly share: number;
  readonly faults: readonly Fault[];
}

/** The words of a text, as tokens. */
export const toTokens = (text: string): string[] => text.split(' ');

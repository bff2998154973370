/** Options without a value, which only programs have. */
export const PROGRAM_FLAGS = ['fix', 'network', 'without-restore-point'] as const;
export type ProgramFlag = (typeof PROGRAM_FLAGS)[number];

export interface ProgramCall {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<ProgramFlag>;
  /** The acting staff account; '' if not given. */
  readonly actingEmail: string;
  readonly isJson: boolean;
  print(text: string): void;
  printError(line: string): void;
}

/** A command that opens the data itself, because the data may be damaged or of another version. */
export interface Program {
  readonly flags: readonly ProgramFlag[];
  readonly about: string;
  /** Returns the exit code. */
  run(call: ProgramCall): Promise<number>;
}

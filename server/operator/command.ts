import type { CommandContext } from './context.ts';
import type { Settings } from '../settings.ts';
import type { Member } from '../features/accounts/members.ts';

/** Options with a value, by name. */
export type Options = Readonly<Partial<Record<string, string>>>;

/** The context of a command. */
export interface CommandCall {
  readonly context: CommandContext;
  /** The target of the command, such as an id; '' if it takes none. */
  readonly target: string;
  /** The second target; '' if the command takes none. */
  readonly secondTarget: string;
  /** The options that were given, from `takes` and `needs`. */
  readonly options: Options;
  readonly isJson: boolean;
  readonly flags: ReadonlySet<string>;
  /** The acting staff account. Throws `UsageError` if none was given, `Refusal` if the account is not staff. */
  requireStaff(): Promise<Member>;
  print(text: string): void;
}

/** The context of a command that opens the data itself. */
export interface BareCall extends Pick<CommandCall, 'target' | 'options' | 'isJson' | 'flags' | 'print'> {
  /** The acting staff account; '' if not given. */
  readonly actingEmail: string;
  /** Throws `SettingsError`. */
  readSettings(): Settings;
  printError(line: string): void;
}

export interface Command {
  /** The text after noun and verb in the help, besides options. */
  readonly target?: string;
  readonly secondTarget?: string;
  /** Optional options: the name, and the value as the help shows it. */
  readonly takes?: Readonly<Record<string, string>>;
  /** Required options. */
  readonly needs?: Readonly<Record<string, string>>;
  readonly takesJson?: boolean;
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Read-only: the database is opened for reading, without time limits. If absent, the command may write. */
  readonly reads?: boolean;
  readonly about: string;
  /** The exit code; undefined is 0. */
  run(call: CommandCall): Promise<number | void>;
}

/** A command that opens the data itself: it may be missing, damaged or of another version. */
export interface BareCommand extends Omit<Command, 'run' | 'reads'> {
  /** The exit code; undefined is 0. */
  runBare(call: BareCall): Promise<number | void>;
}

export type Commands = Readonly<Record<string, Command | BareCommand>>;

export const REASON = { reason: 'TEXT' } as const;

/** Mails are queued here and sent by the server process. */
export function reportMail({ print }: CommandCall, to: string): void {
  print(`Queued a mail to ${to}. The running server sends it within seconds, otherwise at its next start.`);
}

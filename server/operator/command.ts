import type { CommandContext } from './context.ts';
import type { Settings } from '../settings.ts';
import type { Member } from '../features/accounts/accounts.ts';

/** The context of a command. */
export interface CommandCall {
  readonly context: CommandContext;
  /** The target of the command, such as an id; '' if it takes none. */
  readonly target: string;
  /** The second target; '' if the command takes none. */
  readonly secondTarget: string;
  /** '' unless given. */
  readonly reason: string;
  /** '' unless given. */
  readonly to: string;
  /** All other options from `takes` and `needs`. */
  readonly chosen: Chosen;
  readonly isJson: boolean;
  readonly flags: ReadonlySet<Flag>;
  /** The acting staff account. Throws `UsageError` if none was given, `Refusal` if the account is not staff. */
  requireStaff(): Promise<Member>;
  print(text: string): void;
}

/** The context of a command that opens the data itself. */
export interface BareCall extends Pick<CommandCall, 'target' | 'to' | 'isJson' | 'flags' | 'print'> {
  /** The acting staff account; '' if not given. */
  readonly actingEmail: string;
  /** Throws `SettingsError`. */
  readSettings(): Settings;
}

/** Options with a value, as the help shows them. */
export const OPTION_VALUES = {
  reason: 'TEXT',
  to: 'FILE',
  artist: 'NAME',
  day: 'YYYY-MM-DD',
  state: 'STATE',
  value: 'VALUE',
  file: 'FILE',
  title: 'TEXT',
  name: 'TEXT',
  icon: 'NAME',
  order: 'NUMBER',
  genre: 'ID',
  forfeit: 'YEN',
} as const;
export type Option = keyof typeof OPTION_VALUES;
/** Options without a value. */
export const FLAGS = ['with-keys', 'fix', 'network', 'verify'] as const;
export type Flag = (typeof FLAGS)[number];
export type Chosen = Readonly<Partial<Record<Option, string>>>;

export interface Command {
  /** The text after noun and verb in the help, besides options. */
  readonly target?: 'ID' | 'EMAIL' | 'NAME' | 'SETTING' | 'SLUG' | 'FILE' | 'FOLDER' | 'FROM';
  readonly secondTarget?: 'TO';
  /** Optional options; `artist` replaces a target: those of an artist, or of one day of an artist. */
  readonly takes?: readonly Option[];
  /** Required options. */
  readonly needs?: readonly Option[];
  readonly takesJson?: boolean;
  readonly flags?: readonly Flag[];
  /** Read-only: the database is opened for reading, without time limits. If absent, the command may write. */
  readonly reads?: true;
  readonly about: string;
  /** The exit code; undefined is 0. */
  run(call: CommandCall): Promise<number | void>;
}

/** A command that opens the data itself: it may be missing, damaged or of another version. */
export interface BareCommand extends Omit<Command, 'run' | 'reads'> {
  /** The exit code; undefined is 0. */
  runBare(call: BareCall): Promise<number | void>;
}

/** Mails are queued here and sent by the server process. */
export function reportMail({ print }: CommandCall, to: string): void {
  print(`Queued a mail to ${to}. The running server sends it within seconds, otherwise at its next start.`);
}

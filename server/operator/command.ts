import type { Desk } from './desk.ts';
import type { Member } from './members.ts';

/** What a command gets to work with. */
export interface CommandCall {
  readonly desk: Desk;
  /** What the command is about, such as an ID; '' where it takes none. */
  readonly target: string;
  /** '' unless given. */
  readonly reason: string;
  /** '' unless given. */
  readonly to: string;
  /** Whatever else of `takes` and `needs` is given. */
  readonly chosen: Chosen;
  readonly isJson: boolean;
  /** Who acts. Throws `UsageError` when nobody is named, `Refusal` for who is no staff. */
  requireStaff(): Promise<Member>;
  print(text: string): void;
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
} as const;
export type Option = keyof typeof OPTION_VALUES;
export type Chosen = Readonly<Partial<Record<Option, string>>>;

export interface Command {
  /** What stands after the noun and the verb in the help, besides options. */
  readonly target?: 'ID' | 'EMAIL' | 'NAME' | 'SETTING' | 'SLUG';
  /** Options that may be given; `artist` beside a target, instead of it: an artist's, or those of an artist's day. */
  readonly takes?: readonly Option[];
  /** Options that have to be given. */
  readonly needs?: readonly Option[];
  readonly takesJson?: boolean;
  /** It changes nothing: the database is opened for reading alone, without limits of time. Absent: it may write. */
  readonly reads?: true;
  readonly about: string;
  /** The exit code; undefined is 0. */
  run(call: CommandCall): Promise<number | void>;
}

/** Mails are queued here, and sent by the process that serves. */
export function tellMail({ print }: CommandCall, to: string): void {
  print(`A mail to ${to} is queued; the running server sends it within seconds, or at its next start.`);
}

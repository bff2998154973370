import type { Desk } from './desk.ts';
import type { Member } from './members.ts';

/** What a command gets to work with. */
export interface CommandCall {
  readonly desk: Desk;
  /** The ID or EMAIL; '' where the command takes none. */
  readonly target: string;
  /** '' unless given. */
  readonly reason: string;
  /** '' unless given. */
  readonly to: string;
  /** Whatever of `takes` is given. */
  readonly chosen: Readonly<Partial<Record<Choice, string>>>;
  readonly isJson: boolean;
  /** Who acts. Throws `UsageError` when nobody is named, `Refusal` for who is no staff. */
  requireStaff(): Promise<Member>;
  print(text: string): void;
}

/** Options that choose among many. */
export type Choice = 'artist' | 'day' | 'state';

export interface Command {
  /** What stands after the noun and the verb in the help, besides options. */
  readonly target?: 'ID' | 'EMAIL';
  /** Options that may be given; beside a target, instead of it: an artist's, or those of an artist's day. */
  readonly takes?: readonly Choice[];
  /** Options that have to be given. */
  readonly needs?: readonly ('reason' | 'to')[];
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

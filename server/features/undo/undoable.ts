import type { InferInput } from 'valibot';
import type { describeUndo } from '../../../contract/accounts/accounts.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Mail } from '../../platform/mail/port.ts';
import type { Owner } from '../accounts/mails.ts';
import type { getUndoLink } from '../accounts/undo-links.ts';

/**
 * The stages of an undo in the order of their locks, which is that of all transactions; each with its position in what
 * people read. The deletion of the account is first, because it blocks the member.
 */
export const STAGES = {
  'account deletion': 4,
  submissions: 3,
  member: 0,
  payouts: 2,
  sounds: 5,
  profile: 1,
} as const;
export type Stage = keyof typeof STAGES;

/** The reason of decisions about what an undo takes back. */
export const UNDO_REASON = 'ご本人による取り消しの手続きがありました。';

export type UndoLink = Awaited<ReturnType<typeof getUndoLink>>;
export type UndoReply = InferInput<typeof describeUndo.reply>;

/** A kind of change that an undo link takes back, declared by its feature (`Feature.undo`). */
export interface Undoable {
  /** When it is undone. From `member` on, the member is locked. */
  readonly stage: Stage;
  /** What `undo` would take back; changes nothing. */
  find(db: Handle, link: UndoLink): Promise<Found>;
  /** Takes back all changes since the time of the link, in the transaction of the whole undo. */
  undo(transaction: Handle, context: UndoContext): Promise<Undone | undefined>;
  /**
   * Takes back only what the mail of the link is about, for an owner who keeps the password. The member is locked.
   * Returns undefined for the link of another change.
   */
  undoNamed?(
    transaction: Handle,
    context: UndoContext,
    owner: Owner,
  ): Promise<(Undone & { readonly mail: Mail }) | undefined>;
}

export interface UndoContext {
  /** `operatorEmail` hears of what is undone too late. */
  readonly deps: Pick<Platform, 'siteUrl' | 'siteName'> & { readonly operatorEmail: string };
  readonly link: UndoLink;
  readonly nowMs: number;
}

export interface Found {
  /** As text for people, in the words of `Undone`. */
  readonly changes: readonly string[];
  /** Whether `undoNamed` accepts the link. */
  readonly canKeepPassword?: boolean;
  /** What else the page of the link says. */
  readonly details?: Omit<UndoReply, 'changes' | 'changed_at' | 'can_keep_password'>;
}

export interface Undone {
  /** What was taken back, as text for people. */
  readonly changes?: readonly string[];
  /** Paragraphs of the mail. */
  readonly notes?: readonly string[];
  readonly afterCommit?: readonly AfterCommit[];
}

/** Work after the transaction. A function that several undoables return is called once. */
export type AfterCommit = (deps: Platform, userId: string) => Promise<void> | void;

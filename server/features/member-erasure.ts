import type { Selectable } from 'kysely';
import type { Handle } from '../platform/database/handle.ts';
import type { UsersTable } from './accounts/tables.ts';
import type { Platform } from '../platform/http/context.ts';

/**
 * Steps before the account counts as deleted, in their order: access first, so that no link can restore a part of the
 * account. Each can be repeated and may take long.
 */
export const LONG_STEPS = ['access', 'sounds', 'favorites', 'submissions'] as const;

/**
 * Steps of the transaction that ends the account, in their order, which is the order of locks; the member is locked
 * before. Each takes a bounded time. `uses` are found by the member of their certificates, which `rows` remove.
 */
export const FINAL_STEPS = ['credits', 'balances', 'pictures', 'uses', 'rows', 'member'] as const;

export type ErasureDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger' | 'catalogueChanged'>;

/** A member whose account is being deleted, as it was until then. */
interface ErasedMember extends Pick<
  Selectable<UsersTable>,
  'id' | 'username_key' | 'username_skeleton' | 'email_key' | 'picture_key' | 'background_key'
> {
  /** E-mail addresses of the account and for messages. */
  readonly addresses: readonly string[];
}

type LongStep = (deps: ErasureDeps, userId: string, ending?: AbortSignal) => Promise<void>;
type FinalStep = (transaction: Handle, member: ErasedMember, nowMs: number) => Promise<void>;

/** What a feature does with its own rows and files when an account is deleted. The books refer to the id, which stays. */
export type MemberErasure = Readonly<
  Partial<Record<(typeof LONG_STEPS)[number], LongStep> & Record<(typeof FINAL_STEPS)[number], FinalStep>>
>;

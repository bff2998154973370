import type { SelectQueryBuilder } from 'kysely';
import { changesRows } from '../../platform/database/statements/outcomes.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { INCOMING_MS_MAX } from '../../platform/storage/port.ts';
import type { Storage } from '../../platform/storage/port.ts';
import { queueMail } from '../mail/service.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

/**
 * How a kind of submission is stored. A row is `incoming` while its files are being stored, `pending` while the staff
 * reviews it, and then approved or rejected. The storage key of each file stays on record until the file is deleted.
 */
export interface StoredKind {
  /** As in logs and in the record of staff actions. */
  readonly name: 'personal info' | 'quality check';
  readonly table: 'personal_info_submissions' | 'quality_checks';
  /** The table with `object_key`, and its column with the id of the submission. */
  readonly files:
    readonly ['personal_info_submissions', 'id'] | readonly ['quality_check_files', 'quality_check_id'];
  deleteFile(storage: Storage, submissionId: string, objectKey: string): Promise<void>;
}

/** A kind of submission: what its life cycle needs to know about it. */
export interface SubmissionKind<Member> extends StoredKind {
  /** The message to a member whose submission took too long to arrive. */
  readonly tooLate: string;
  /** The message to staff who act on a decided submission. */
  readonly notPending: string;
  /** The sender, with what decides whether they may submit. */
  selectMember(db: Db, userId: string): SelectQueryBuilder<Schema, 'users', Member>;
  /** Throws `Problem` for a member who may not submit now. */
  checkMember(member: Member): void;
}

export type LifeCycleDeps = Pick<
  Platform,
  'database' | 'storage' | 'clock' | 'logger' | 'siteUrl' | 'siteName'
>;

export interface Decision {
  readonly verdict: 'approve' | 'reject' | 'expire';
  /** The deciding staff account; null when the time limit decides. */
  readonly staffId: string | null;
  /** Shown to the member; '' for an approval. */
  readonly reason: string;
}

/** Throws `Problem` for a member who may not submit now: 404, or see `checkMember`. */
export async function requireSubmitter<Member>(
  { database }: Pick<Platform, 'database'>,
  kind: SubmissionKind<Member>,
  userId: string,
): Promise<void> {
  const member = await kind.selectMember(database.db, userId).executeTakeFirst();
  if (member === undefined) throw notFound();
  kind.checkMember(member);
}

/**
 * Completes an `incoming` submission: `store` stores its files, and `accept` does what belongs to the transaction that
 * makes it pending. Of a member's concurrent submissions only one counts. Its row exists before its files, so that an
 * interruption leaves no unknown files; a failure deletes files and row. Throws `Problem`: those of
 * `requireSubmitter`, and 409 when storing took too long.
 */
export async function completeSubmission<Member>(
  deps: LifeCycleDeps,
  kind: SubmissionKind<Member>,
  { id, userId }: { readonly id: string; readonly userId: string },
  store: () => Promise<void>,
  accept: (transaction: Handle, member: Member, nowMs: number) => Promise<void>,
): Promise<void> {
  const { database, clock } = deps;
  try {
    await store();
    await database.db.transaction().execute(async (transaction: Handle) => {
      const member = await lockMember(transaction, kind, userId);
      // Read under the lock, so that an undo link of an earlier change precedes this submission and cancels it.
      const nowMs = clock.now();
      kind.checkMember(member);
      if (!(await markPending(transaction, kind, id, nowMs))) throw new Problem(409, kind.tooLate);
      await accept(transaction, member, nowMs);
    });
  } catch (error) {
    await destroyFiles(deps, kind, id);
    throw error;
  }
}

/**
 * Decides on a pending submission once, and records the decision. `settle` updates the member in the same transaction
 * and returns the mail to them. The caller destroys the files afterwards. Throws `Problem`: 403 for a caller who is not
 * staff, 404, and 409 for a second decision; a time limit that comes second changes nothing.
 */
export async function decideSubmission<Member>(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  kind: SubmissionKind<Member>,
  id: string,
  { verdict, staffId, reason }: Decision,
  settle: (transaction: Handle, member: Member) => Promise<Mail>,
): Promise<void> {
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction: Handle) => {
    if (staffId !== null) await requireStaff(transaction, staffId);
    // Lock order, as elsewhere: submissions, then the member.
    const submission = await selectSubmission(transaction, kind, id).forNoKeyUpdate().executeTakeFirst();
    if (staffId === null && submission?.state !== 'pending') return;
    const member = await lockMember(transaction, kind, requirePending(kind, submission).user_id);
    const state = verdict === 'approve' ? 'approved' : 'rejected';
    await own(transaction)
      .updateTable(kind.table)
      .set({ state, decided_at: nowMs, decided_by: staffId, reason })
      .where('id', '=', id)
      .execute();
    const mail = await settle(transaction, member);
    const note = staffId === null ? '' : reason;
    await recordAction(transaction, { staffId, action: `${verdict} ${kind.name}`, subject: id, note }, nowMs);
    await queueMail(transaction, mail, nowMs);
  });
}

/** Throws `Problem` for staff who act on a submission that is not pending: 404, or 409 once it is decided. */
export function requirePending<Submission extends { readonly state: string }>(
  { notPending }: { readonly notPending: string },
  submission: Submission | undefined,
): Submission {
  if (submission === undefined || submission.state === 'incoming') throw notFound();
  if (submission.state !== 'pending') throw new Problem(409, notPending);
  return submission;
}

/** Destroys files that a crash or a storage failure left after a decision or before a submission was complete. */
export async function collectLeftovers(
  deps: Pick<LifeCycleDeps, 'database' | 'storage' | 'clock' | 'logger'>,
  kind: StoredKind,
): Promise<void> {
  const [filesTable, submissionId] = kind.files;
  const incomingBefore = deps.clock.now() - INCOMING_MS_MAX;
  const leftovers = await own(deps.database.db)
    .selectFrom(kind.table)
    .select('id')
    .where('state', '!=', 'pending')
    .where((eb) => eb.or([eb('state', '!=', 'incoming'), eb('submitted_at', '<', incomingBefore)]))
    .where('id', 'in', (query) =>
      query.selectFrom(filesTable).select(submissionId).where('object_key', 'is not', null),
    )
    .execute();
  for (const { id } of leftovers) await destroyFiles(deps, kind, id);
}

/**
 * Destroys the files of a submission that is not pending. Failures are logged and retried later: their storage keys are
 * kept until all files are gone.
 */
export async function destroyFiles(
  { database: { db }, storage, logger }: Pick<Platform, 'database' | 'storage' | 'logger'>,
  kind: StoredKind,
  id: string,
): Promise<void> {
  const [filesTable, submissionId] = kind.files;
  try {
    const submission = await selectSubmission(db, kind, id).executeTakeFirst();
    if (submission === undefined || submission.state === 'pending') return;
    const files = await own(db)
      .selectFrom(filesTable)
      .select('object_key')
      .where(submissionId, '=', id)
      .execute();
    for (const { object_key } of files)
      if (object_key !== null) await kind.deleteFile(storage, id, object_key);
    if (submission.state === 'incoming')
      await own(db).deleteFrom(kind.table).where('id', '=', id).where('state', '=', 'incoming').execute();
    else
      await own(db).updateTable(filesTable).set({ object_key: null }).where(submissionId, '=', id).execute();
  } catch (error) {
    logger.error({ err: error, submission: id }, `the files of a ${kind.name} could not be destroyed`);
  }
}

export function selectSubmission(db: Db, { table }: StoredKind, id: string) {
  return db.selectFrom(table).select(['user_id', 'state']).where('id', '=', id);
}

/** A member's newest submission; undefined when there is none. */
export function findNewest(db: Db, { table }: StoredKind, userId: string) {
  return (
    db
      .selectFrom(table)
      .select(['state', 'submitted_at', 'decided_at', 'reason'])
      .where('user_id', '=', userId)
      .where('state', '!=', 'incoming')
      .orderBy('submitted_at', 'desc')
      // A pending one counts as the newest, even within the same millisecond.
      .orderBy((eb) => eb.case().when('state', '=', 'pending').then(0).else(1).end())
      .limit(1)
      .executeTakeFirst()
  );
}

/** Earlier decisions that are listed. */
const DECISIONS_MAX = 20;

/** The decisions on a member's other submissions of a kind, newest first, each with the username of who decided. */
export async function listDecisions(db: Db, { table }: StoredKind, userId: string, exceptId: string) {
  const rows = await db
    .selectFrom(table)
    .select(['state', 'decided_at', 'reason'])
    .select((eb) =>
      eb.selectFrom('users').select('username').whereRef('users.id', '=', 'decided_by').as('decided_by'),
    )
    .where('user_id', '=', userId)
    .where('id', '!=', exceptId)
    .where('state', 'not in', ['incoming', 'pending'])
    .orderBy('decided_at', 'desc')
    .limit(DECISIONS_MAX)
    .execute();
  return rows.map(({ state, decided_at, ...rest }) => ({
    ...rest,
    state: state === 'rejected' ? ('rejected' as const) : ('approved' as const),
    decided_at: decided_at ?? 0,
  }));
}

/** Whether the row still existed: one that took too long has been removed. */
export async function markPending(
  db: Db,
  { table }: StoredKind,
  id: string,
  submitted_at: number,
): Promise<boolean> {
  return changesRows(
    db
      .updateTable(table)
      .set({ state: 'pending', submitted_at })
      .where('id', '=', id)
      .where('state', '=', 'incoming'),
  );
}

/** Locked until the transaction ends. Throws `Problem` 404 for a deleted member. */
async function lockMember<Member>(
  transaction: Db,
  kind: SubmissionKind<Member>,
  userId: string,
): Promise<Member> {
  const member = await kind.selectMember(transaction, userId).forNoKeyUpdate().executeTakeFirst();
  if (member === undefined) throw notFound();
  return member;
}

import type { StaffActionName } from '../../../contract/operator/action-texts.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Db } from './tables.ts';

export interface RecordedAction {
  /**
   * The staff account; null for the creation of the first staff account, and for actions of the server after a time
   * limit.
   */
  readonly staffId: string | null;
  readonly action: StaffActionName;
  /** The id of its object. */
  readonly subject: string;
  readonly note?: string;
}

/** Actions that may have come before a decision, and how a sentence about each ends. */
export type EarlierActions = Readonly<Partial<Record<StaffActionName, string>>>;

/**
 * Throws `Problem` 403 for a caller who is not or no longer staff, or is blocked. Call it in the transaction of the
 * decision.
 */
export async function requireStaff(db: Db, userId: string): Promise<void> {
  const row = await db
    .selectFrom('users')
    .select(['is_staff', 'is_blocked'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (row?.is_staff !== 1 || row.is_blocked === 1) throw new Problem(403, '運営者だけが操作できます。');
}

/** Records a staff action. Call it in the transaction of that action. */
export async function recordAction(
  db: Db,
  { staffId, action, subject, note = '' }: RecordedAction,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('operator_actions')
    .values({ id: randomId(), staff_id: staffId, action, subject, at: nowMs, note })
    .execute();
}

/** The newest of these actions on a subject, and who did it: null for the server. */
export function findLastActor(db: Db, subject: string, actions: readonly StaffActionName[]) {
  return db
    .selectFrom('operator_actions')
    .leftJoin('users', 'users.id', 'staff_id')
    .select(['action', 'users.username'])
    .where('subject', '=', subject)
    .where('action', 'in', actions)
    .orderBy('at', 'desc')
    .orderBy('operator_actions.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Carries out a decision. If it is refused with 409 and one of the actions in `earlier` is on record for its subject,
 * throws `Problem` 409 that names who did the newest of them, in the words of `earlier`. Other refusals are passed on.
 */
export async function decideOrNameActor<Result>(
  db: Db,
  subject: string,
  earlier: EarlierActions,
  decide: () => Promise<Result>,
): Promise<Result> {
  try {
    return await decide();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    const last = await findLastActor(db, subject, Object.keys(earlier) as StaffActionName[]);
    const done = last && earlier[last.action as StaffActionName];
    throw done === undefined ? error : toEarlierActorProblem(last?.username, done);
  }
}

/** The refusal of a decision that someone made before; `done` says what they did. */
export function toEarlierActorProblem(username: string | null | undefined, done: string): Problem {
  return new Problem(409, `${username ?? '別の担当者'} さんが先に${done}。`);
}

/** When an action was last done with each of these subjects. */
export async function findLastTimes(
  db: Db,
  action: StaffActionName,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('operator_actions')
    .select(({ fn }) => ['subject', fn.max('at').as('at')])
    .where('subject', 'in', subjects)
    .where('action', '=', action)
    .groupBy('subject')
    .execute();
  return new Map(rows.map(({ subject, at }) => [subject, at]));
}

/**
 * Ids of the staff accounts that can decide, in an order that all processes share. Locked until the transaction ends.
 */
export async function lockStaff(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', 1)
    .where('is_blocked', '=', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

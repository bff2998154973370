import { LOCKED_FIELDS } from '../../../../contract/accounts/profile-fields.ts';
import { isKeyedHash, keyedHash } from '../../../platform/crypto/keyed-hash.ts';
import { inWindows } from '../../../platform/database/statements/windows.ts';
import type { Database } from '../../../platform/database/open.ts';
import { UNRECORDED } from './kind.ts';
import type { Applicant } from './kind.ts';
import type { Db } from '../tables.ts';
import { updateMemberRow } from '../../accounts/queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/**
 * The bank account of a verified member cannot be changed (spec §4). A keyed hash of it in `users.verified_details`
 * shows a change by another program, which has no key (decision 194). '' for members who are not verified; `UNRECORDED`
 * until the hash is made.
 */
const PURPOSE = 'verified details';
const WINDOW_ROWS = 200;

type Details = Pick<Applicant, 'id' | (typeof LOCKED_FIELDS)[number]>;

/** Records the details of a member who is verified in the same transaction. */
export async function recordDetails(db: Handle, secret: Uint8Array, member: Details): Promise<void> {
  await updateMemberRow(db, member.id, { verified_details: keyedHash(secret, PURPOSE, ...toParts(member)) });
}

/**
 * Records details that are not recorded yet, as they are now: of members who were verified by an earlier version, or by a
 * command without the secret. Changes from before are not recorded. Also records details again that match by another
 * of the secrets; the first is the one in use.
 */
export async function recordMissingDetails(
  { db }: Pick<Database, 'db'>,
  secrets: readonly Uint8Array[],
): Promise<void> {
  const [secret, ...earlier] = secrets;
  if (secret === undefined) return;
  for await (const { member, recorded, hasSubmission } of readVerified(db)) {
    const isMissing = recorded === UNRECORDED || (recorded === '' && hasSubmission);
    if (!isMissing && !matches(member, recorded, earlier)) continue;
    const verified_details = keyedHash(secret, PURPOSE, ...toParts(member));
    await updateMemberRow(db, member.id, { verified_details }, { verified_details: recorded });
  }
}

/**
 * Members whose bank account is not the one that was verified (`changed`), or who are verified although no ID of theirs
 * was approved (`unrecorded`). Reads every verified member in windows.
 */
export async function* findChangedDetails(
  db: Db,
  secrets: readonly Uint8Array[],
): AsyncIterable<{ readonly id: string; readonly fault: 'changed' | 'unrecorded' }> {
  for await (const { member, recorded, hasSubmission } of readVerified(db)) {
    if (recorded === UNRECORDED) continue;
    if (recorded === '') {
      if (!hasSubmission) yield { id: member.id, fault: 'unrecorded' };
    } else if (!matches(member, recorded, secrets)) yield { id: member.id, fault: 'changed' };
  }
}

function matches(member: Details, recorded: string, secrets: readonly Uint8Array[]): boolean {
  return secrets.some((secret) => isKeyedHash(recorded, secret, PURPOSE, ...toParts(member)));
}

function toParts(member: Details): string[] {
  return [member.id, ...LOCKED_FIELDS.map((field) => member[field])];
}

async function* readVerified(db: Db) {
  const select = (after: string) =>
    db
      .selectFrom('users')
      .select(['id', 'verified_details', ...LOCKED_FIELDS])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('personal_info_submissions as submissions')
            .select('submissions.id')
            .whereRef('submissions.user_id', '=', 'users.id')
            .where('submissions.state', '=', 'approved'),
        ).as('has_submission'),
      )
      .where('personal_info_status', '=', 'confirmed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
  for await (const rows of inWindows('', select, ({ id }) => id)) {
    for (const { verified_details: recorded, has_submission, ...member } of rows)
      yield { member, recorded, hasSubmission: Boolean(has_submission) };
  }
}

import { randomId } from '../../../platform/database/database.ts';
import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Form, Platform } from '../../../platform/http/http.ts';
import { selectSoundTypes } from '../../catalogue/catalogue.ts';
import { queueMail } from '../../mail/mail.ts';
import type { ReviewsOptions } from '../options.ts';
import { checkFiles, requireFiles, storeFile } from './files.ts';
import type { CheckedFile } from './files.ts';
import { destroyFiles } from './leftovers.ts';
import { toReceivedMail, toWaitingMail } from './mails.ts';
import { findApplicant, insertIncoming, lockApplicant, markPending, updateApplicant } from './queries.ts';
import type { Applicant } from './queries.ts';

export type ApplicationDeps = Pick<
  Platform,
  'database' | 'storage' | 'clock' | 'logger' | 'siteUrl' | 'siteName'
> &
  Pick<ReviewsOptions, 'operatorEmail'>;

/** Throws `Problem` for a member who may not apply now: 403 when blocked, 409 by spec §4. */
export async function requireApplicant({ database }: ApplicationDeps, userId: string): Promise<void> {
  checkApplicant(await findApplicant(database.db, userId));
}

/**
 * Stores an application with its files for the staff to listen to, and notifies both by mail. Of concurrent
 * applications only one counts. Throws `Problem`: 400 that names what is wrong, 403 and 409 like `requireApplicant`;
 * and `Busy`.
 *
 * The rows are created before the files, so that an interruption leaves no unknown files.
 */
export async function applyForQualityCheck(deps: ApplicationDeps, userId: string, form: Form): Promise<void> {
  const { database, storage, clock } = deps;
  checkUserId(form, userId);
  const sent = requireFiles(form);
  const typeIds = await readTypes(deps, form);
  const files = await checkFiles(sent);

  const id = randomId();
  const application = { id, user_id: userId, submitted_at: clock.now() };
  await insertIncoming(
    database.db,
    application,
    typeIds,
    files.map((file) => toRow(id, file)),
  );
  try {
    for (const file of files) await storeFile(storage, toFileKey(id, file.slot), file);
    await accept(deps, id, userId);
  } catch (error) {
    await destroyFiles(deps, id);
    throw error;
  }
}

/** A separate key prefix: `/media` serves nothing under it without a signature. */
export function toFileKey(applicationId: string, slot: number): string {
  return `quality-check/${applicationId}-${slot}`;
}

function toRow(applicationId: string, { slot, file, facts, sizeBytes, sha256 }: CheckedFile) {
  return {
    slot,
    object_key: toFileKey(applicationId, slot),
    filename: file.filename,
    mime: facts.mime,
    size_bytes: sizeBytes,
    duration_ms: facts.durationMs,
    bit_rate: facts.bitRateKbps,
    sample_rate: facts.sampleRateHz,
    sha256,
  };
}

async function accept(deps: ApplicationDeps, applicationId: string, userId: string): Promise<void> {
  const { database, clock, operatorEmail } = deps;
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction) => {
    const applicant = checkApplicant(await lockApplicant(transaction, userId));
    if (!(await markPending(transaction, applicationId, nowMs))) {
      throw new Problem(409, 'もう一度申請してください。');
    }
    await updateApplicant(transaction, userId, { status: 'pending' });
    await queueMail(transaction, toReceivedMail(deps, applicant), nowMs);
    await queueMail(transaction, toWaitingMail(deps, operatorEmail, applicant, applicationId), nowMs);
  });
}

function checkApplicant(applicant: Applicant | undefined): Applicant {
  if (applicant === undefined) throw notFound();
  if (applicant.is_blocked === 1) {
    throw new Problem(403, '現在、クオリティチェックを申請できません。お問い合わせください。');
  }
  if (applicant.is_verified === 1) throw new Problem(409, 'クオリティチェックは完了しています。');
  if (applicant.status === 'pending') {
    throw new Problem(409, 'クオリティチェックは審査中です。結果をお待ちください。');
  }
  return applicant;
}

function checkUserId({ texts }: Form, userId: string): void {
  const given = texts.get('user_id') ?? [];
  if (given.length === 0 || given.some((id) => id !== userId)) {
    throw new Problem(400, { user_id: 'ご自身のIDを指定してください。' });
  }
}

async function readTypes({ database }: ApplicationDeps, { texts }: Form): Promise<number[]> {
  const given = new Set(texts.get('types'));
  if (given.size === 0) throw new Problem(400, { types: '種類を1つ以上選択してください。' });
  // Not cached: another process may have removed a type.
  const known = new Set((await selectSoundTypes(database.db)).map(({ id }) => id));
  for (const id of given) {
    if (!known.has(id)) throw new Problem(400, { types: '選択した種類は見つかりませんでした。' });
  }
  return [...given].map(Number);
}

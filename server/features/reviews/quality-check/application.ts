import { randomId } from '../../../platform/database/statements/random-id.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { Form } from '../../../platform/http/form.ts';
import { selectSoundTypes } from '../../catalogue/genres/queries.ts';
import { queueMail } from '../../mail/service.ts';
import { completeSubmission } from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import type { ReviewsOptions } from '../options.ts';
import { checkFiles, requireFiles, storeFile } from './files.ts';
import type { CheckedFile } from './files.ts';
import { QUALITY_CHECK } from './kind.ts';
import { toReceivedMail, toWaitingMail } from './mails.ts';
import { insertIncoming } from './queries.ts';
import { updateMemberRow } from '../../accounts/queries.ts';

export type ApplicationDeps = LifeCycleDeps & Pick<ReviewsOptions, 'operatorEmail'>;

/**
 * Stores an application with its files for the staff to listen to, and notifies both by mail. Of concurrent
 * applications only one counts. Returns the id. Throws `Problem`: 400 that names what is wrong, and those of `completeSubmission`; and
 * `Busy`.
 */
export async function applyForQualityCheck(
  deps: ApplicationDeps,
  userId: string,
  form: Form,
): Promise<string> {
  const { database, storage, clock, operatorEmail } = deps;
  checkUserId(form, userId);
  const sent = requireFiles(form);
  const typeIds = await readTypes(deps, form);
  const files = await checkFiles(sent, userId);

  const id = randomId();
  const application = { id, user_id: userId, submitted_at: clock.now() };
  await insertIncoming(
    database.db,
    application,
    typeIds,
    files.map((file) => toRow(id, file)),
  );
  await completeSubmission(
    deps,
    QUALITY_CHECK,
    { id, userId },
    async () => {
      for (const file of files) await storeFile(storage, toFileKey(id, file.slot), file, userId);
    },
    async (transaction, applicant, nowMs) => {
      await updateMemberRow(transaction, userId, { status: 'pending' });
      await queueMail(transaction, toReceivedMail(deps, applicant), nowMs);
      await queueMail(transaction, toWaitingMail(deps, operatorEmail, applicant, id), nowMs);
    },
  );
  return id;
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
  const existingIds = new Set((await selectSoundTypes(database.db)).map(({ id }) => id));
  for (const id of given) {
    if (!existingIds.has(id)) throw new Problem(400, { types: '選択した種類は見つかりませんでした。' });
  }
  return [...given].map(Number);
}

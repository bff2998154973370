import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { withLease } from '../../../platform/concurrency/leases.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { queueMail } from '../../mail/service.ts';
import { askChild } from '../child.ts';
import { toDraftName } from '../claim.ts';
import { writeSynced } from '../../../platform/synced-files.ts';
import { toCopyFailureMail } from '../mails.ts';
import { findLatest } from '../pool.ts';
import type { CopyTarget } from './copies.ts';

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));
/** In the folder of the backups. */
const STATE = 'bucket-copies.json';

const StateSchema = v.object({
  last: v.nullable(v.object({ name: v.string(), atMs: v.number() })),
  /** The first of the failures since the last success. */
  failing: v.nullable(v.object({ sinceMs: v.number(), message: v.string() })),
});
export type CopyState = v.InferOutput<typeof StateSchema>;

export interface CopiesOptions {
  /** The folder of the backups. */
  readonly folder: string;
  readonly target: CopyTarget;
  readonly operatorEmail: string;
  readonly niceness?: number | undefined;
}

export interface CopyRequest {
  readonly target: CopyTarget;
  readonly backup: string;
  readonly nowMs: number;
}

export type CopyReply =
  | { readonly state: 'sent'; readonly objects: number }
  | { readonly state: 'gone' }
  | { readonly state: 'failed'; readonly message: string };

type CopyDeps = Pick<Platform, 'database' | 'clock' | 'logger' | 'siteName' | 'siteUrl'>;

/** Which copy was sent last, and why the next one could not be. */
export async function readCopyState(folder: string): Promise<CopyState> {
  const text = await readFile(join(folder, STATE), 'utf8').catch(() => '');
  const state = v.safeParse(v.pipe(v.string(), v.parseJson(), StateSchema), text);
  return state.success ? state.output : { last: null, failing: null };
}

/**
 * Sends the latest backup of the folder to the bucket, unless it is there or another process is sending. What an interrupted
 * call has sent is not sent again.
 */
export async function sendLatest(
  deps: CopyDeps,
  { folder, target, operatorEmail, niceness }: CopiesOptions,
  ending: AbortSignal,
): Promise<void> {
  const { database, logger, clock } = deps;
  await withLease(database, logger, `copy of ${folder}`, async () => {
    const latest = await findLatest(folder, clock.now());
    const before = await readCopyState(folder);
    if (latest === undefined || before.last?.name === latest || ending.aborted) return;
    const request: CopyRequest = { target, backup: join(folder, latest), nowMs: clock.now() };
    const reply = await askChild<CopyReply>(PROCESS, request, { ending, niceness });
    if (ending.aborted || reply.state === 'gone') return;
    if (reply.state === 'sent') {
      await writeState(folder, { last: { name: latest, atMs: clock.now() }, failing: null });
      logger.info({ backup: latest, objects: reply.objects }, 'backup copied to the bucket');
      return;
    }
    const { message } = reply;
    logger.error({ backup: latest, reason: message }, 'a backup could not be copied to the bucket');
    if (before.failing !== null) return;
    await writeState(folder, { ...before, failing: { sinceMs: clock.now(), message } });
    const mail = toCopyFailureMail(deps, operatorEmail, { message, last: before.last });
    await queueMail(database.db, mail, clock.now());
  });
}

async function writeState(folder: string, state: CopyState): Promise<void> {
  const draft = join(folder, toDraftName(STATE));
  await writeSynced(draft, JSON.stringify(state));
  await rename(draft, join(folder, STATE));
}

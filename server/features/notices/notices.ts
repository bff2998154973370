import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { NEXT_NOTICE_PATH } from '../../../contract/downloads/ads.ts';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { INTENT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { cached, invalidateCache } from '../../platform/database/statements/cached.ts';
import type { Database } from '../../platform/database/open.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { MissingObjectError } from '../../platform/storage/port.ts';
import { toCorsHeaders } from '../../web/media.ts';
import { sendFile, sendJson, setHeaders } from '../../web/replies.ts';
import type { Exchange } from '../../web/replies.ts';
import { UPLOAD_POLICY } from '../../web/security-headers.ts';
import type { Target } from '../../web/targets.ts';
import { CACHE_KEY } from './changes.ts';
import { listFiles, selectServed, toNotice, toPeriod } from './rows.ts';
import { own } from './tables.ts';
import { READ_ONLY_TEXT } from '../../platform/http/reply-texts.ts';

export interface NoticesOptions extends Pick<Platform, 'database' | 'storage' | 'clock' | 'logger'> {
  /** Origin of a web client on another host, which may load notices. */
  readonly webOrigin: string | null;
  /** Returns a whole number from 0 to `count` - 1. */
  readonly pick?: (count: number) => number;
}

/** How long changes of other processes stay unseen. */
const LIST_MS = 1_000;
/** How long requests for unknown files wait, so that one reading of the list answers all of them. */
const LOOK_AGAIN_MS = 200;
const FILE = /^\/notice\/[0-9a-f]{24}\.[a-z0-9]{3,4}$/;

/** Answers requests for `/notice/…`. The list is in memory, and read again at most once a second. */
export function createNoticesHandler({
  database,
  storage,
  clock,
  logger,
  webOrigin,
  pick = randomInt,
}: NoticesOptions): (exchange: Exchange, target: Target) => Promise<void> {
  const corsHeaders = toCorsHeaders(webOrigin);

  async function findNext(): Promise<Notice | null> {
    const visible = await listVisibleNotices(database, clock.now());
    const row = visible.length === 0 ? undefined : visible[pick(visible.length)];
    return row === undefined ? null : toNotice(row);
  }

  let lookingAgain: Promise<unknown> | undefined;
  async function lookAgain(): Promise<void> {
    await wait(LOOK_AGAIN_MS);
    lookingAgain = undefined;
    invalidateCache(database, CACHE_KEY);
  }

  async function findFile(path: string) {
    if (!FILE.test(path)) return undefined;
    const find = async () =>
      (await readRows(database, clock.now())).flatMap(listFiles).find((file) => file.path === path);
    const file = await find();
    if (file !== undefined) return file;
    // Another process may have served a notice that was added a moment ago.
    await (lookingAgain ??= lookAgain());
    return find();
  }

  async function sendNoticeFile(exchange: Exchange, path: string): Promise<void> {
    const file = await findFile(path);
    if (file === undefined) throw notFound();
    try {
      // An answer to HEAD opens no file.
      if (exchange.req.method === 'HEAD' && !(await storage.has(file.key)))
        throw new MissingObjectError(file.key);
      await sendFile(exchange, {
        size: file.size,
        etag: `"${file.hash.slice(0, 24)}"`,
        headers: [
          ['content-type', file.type],
          ['cache-control', 'public, max-age=31536000, immutable'],
          ['content-security-policy', UPLOAD_POLICY],
        ],
        content: (range) => storage.open(file.key, range),
      });
    } catch (error) {
      if (!(error instanceof MissingObjectError) || exchange.res.headersSent) throw error;
      logger.error({ id: exchange.requestId, err: error }, 'stored file is missing');
      for (const name of ['etag', 'accept-ranges']) exchange.res.removeHeader(name);
      throw notFound();
    }
  }

  return async (exchange, { path }) => {
    const { method } = exchange.req;
    setHeaders(exchange.res, corsHeaders);
    if (method !== 'GET' && method !== 'HEAD') {
      return sendJson(exchange, 405, { detail: READ_ONLY_TEXT }, [['allow', 'GET, HEAD']]);
    }
    if (path === NEXT_NOTICE_PATH) return sendJson(exchange, 200, { notice: await findNext() });
    await sendNoticeFile(exchange, path);
  };
}

const readRows = (database: Database, nowMs: number) =>
  cached(database, CACHE_KEY, () => selectServed(database.db, nowMs), LIST_MS);

async function listVisibleNotices(database: Database, nowMs: number) {
  return (await readRows(database, nowMs)).filter((row) => {
    const [fromMs, untilMs] = toPeriod(row);
    return row.state === 'listed' && fromMs <= nowMs && nowMs < untilMs;
  });
}

/** Whether `NEXT_NOTICE_PATH` answers with a notice. */
export async function hasVisibleNotice(database: Database, nowMs: number): Promise<boolean> {
  return (await listVisibleNotices(database, nowMs)).length > 0;
}

/**
 * The required viewing time of a notice in seconds, also while those who have begun to watch it before its end may
 * finish; undefined for others. Reads the database, so that notices of every process count at once.
 */
export async function findNoticeSeconds(
  { db }: Pick<Database, 'db'>,
  id: string,
  nowMs: number,
): Promise<number | undefined> {
  const row = await own(db)
    .selectFrom('notices')
    .select(['state', 'state_since', 'seconds', 'shown_from', 'shown_until'])
    .where('id', '=', id)
    .where('state', '!=', 'incoming')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [fromMs, untilMs] = toPeriod(row);
  const endsMs = Math.min(untilMs, row.state === 'removed' ? row.state_since : Infinity) + INTENT_MS_MAX;
  return fromMs <= nowMs && nowMs < endsMs ? row.seconds : undefined;
}

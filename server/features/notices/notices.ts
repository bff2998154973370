import { randomInt } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { NEXT_NOTICE_PATH } from '../../../contract/ads.ts';
import type { Notice } from '../../../contract/ads.ts';
import { INTENT_MS_MAX } from '../../../contract/downloads.ts';
import type { Log } from '../../platform/log.ts';
import { isUnchanged, listProblems, readNoticeList, stampFiles, toStampedNames } from './list.ts';
import type { NoticeList } from './list.ts';
import { toCorsHeaders } from '../../web/media.ts';
import { sendFile, sendJson, setHeaders } from '../../web/replies.ts';
import type { Exchange } from '../../web/replies.ts';
import { UPLOAD_POLICY } from '../../web/security-headers.ts';
import type { Target } from '../../web/targets.ts';

export { addNotice, changeNotice, moveNotice, removeNotice, requireWritable } from './changes.ts';
export { LIST_NAME } from './entries.ts';
export type { ListedEntry, NoticeList } from './list.ts';

/** The operator's own pictures and videos, shown before a download. */
export interface Notices {
  /** Answers requests for `/notice/…`. */
  answer(exchange: Exchange, target: Target): Promise<void>;
  /** The required viewing time of a notice; undefined when it does not exist and did not exist an hour ago. */
  findSeconds(id: string): number | undefined;
  /** The list as it is in the folder now. */
  readList(): Promise<NoticeList>;
  readonly folder: string;
}

export interface NoticesOptions {
  /** May be missing. */
  readonly folder: string;
  /** Origin of a web client on another host, which may load notices. */
  readonly webOrigin: string | null;
  readonly log: Log;
  readonly now?: () => number;
  /** Returns a whole number from 0 to `count` - 1. */
  readonly pick?: (count: number) => number;
}

/** How often the folder is checked while requests arrive. */
const CHECK_INTERVAL_MS = 1_000;

/** Reads the notices of a folder, now and whenever its list has changed. */
export async function openNotices({
  folder,
  webOrigin,
  log,
  now = Date.now,
  pick = randomInt,
}: NoticesOptions): Promise<Notices> {
  const corsHeaders = toCorsHeaders(webOrigin);
  /** Removed notices with the time of removal: a visitor who has started to watch one may finish. */
  const removed = new Map<string, { readonly seconds: number; readonly at: number }>();
  let list = await read();
  let checkedAt = now();
  let reloading: Promise<void> | undefined;

  async function read(before?: NoticeList) {
    const found = await readNoticeList(folder, before);
    for (const problem of listProblems(found)) log.warn({ folder }, problem);
    return found;
  }

  async function reload(): Promise<void> {
    if ((await stampFiles(folder, toStampedNames(list.stamp))) !== list.stamp) {
      const before = list;
      list = await read(before);
      for (const { id, seconds } of listNotices(before)) removed.set(id, { seconds, at: now() });
      for (const { id } of listNotices(list)) removed.delete(id);
    }
    for (const [id, { at }] of removed) if (!isWatched(at)) removed.delete(id);
    checkedAt = now();
  }

  function isWatched(removedAt: number): boolean {
    return now() - removedAt < INTENT_MS_MAX;
  }

  /** At most one check at a time, whatever the number of requests. */
  async function reloadOnce(): Promise<void> {
    reloading ??= reload().finally(() => {
      reloading = undefined;
    });
    await reloading;
  }

  async function reloadIfStale(): Promise<void> {
    if (Math.abs(now() - checkedAt) >= CHECK_INTERVAL_MS) await reloadOnce();
  }

  function findNext(): Notice | null {
    const notices = listNotices(list, { atMs: now(), graceMs: 0 });
    return notices.length === 0 ? null : (notices[pick(notices.length)] ?? null);
  }

  async function sendNoticeFile(exchange: Exchange, path: string): Promise<void> {
    const file = list.files.get(path);
    const handle = file && (await openIfThere(file.path));
    try {
      // Changed or removed since it was read, so it no longer matches its address.
      if (file === undefined || handle === undefined || !isUnchanged(file, await handle.stat())) {
        return sendJson(exchange, 404, { detail: 'Not Found' });
      }
      await sendFile(exchange, {
        size: file.size,
        etag: `"${file.hash}"`,
        headers: [
          ['content-type', file.type],
          ['cache-control', 'public, max-age=31536000, immutable'],
          ['content-security-policy', UPLOAD_POLICY],
        ],
        // From the open file that was checked, even if its name now belongs to another.
        content: (range) => Promise.resolve(handle.createReadStream({ ...range, autoClose: false })),
      });
    } finally {
      await handle?.close();
    }
  }

  return {
    async answer(exchange, { path }) {
      const { method } = exchange.req;
      setHeaders(exchange.res, corsHeaders);
      if (method !== 'GET' && method !== 'HEAD') {
        return sendJson(exchange, 405, { detail: 'GET か HEAD で取得してください。' }, [
          ['allow', 'GET, HEAD'],
        ]);
      }
      await reloadIfStale();
      if (path === NEXT_NOTICE_PATH) return sendJson(exchange, 200, { notice: findNext() });
      await sendNoticeFile(exchange, path);
    },
    findSeconds(id) {
      // Another process may have shown it, or this one may get no other requests, so the folder is checked in the
      // background.
      reloadIfStale().catch((error: unknown) => log.error({ err: error }, 'failed to read the notices'));
      const shown = listNotices(list, { atMs: now(), graceMs: INTENT_MS_MAX });
      const listed = shown.find((notice) => notice.id === id);
      if (listed !== undefined) return listed.seconds;
      const taken = removed.get(id);
      return taken !== undefined && isWatched(taken.at) ? taken.seconds : undefined;
    },
    async readList() {
      // A check under way may have begun before the last change.
      await reloading;
      await reloadOnce();
      return list;
    },
    folder,
  };
}

/** The usable notices; with a time, those that are shown then or have ended at most `graceMs` before. */
function listNotices(
  { entries }: NoticeList,
  at?: { readonly atMs: number; readonly graceMs: number },
): Notice[] {
  return entries.flatMap((each) => {
    if (each.state === 'broken') return [];
    const isShown = at === undefined || (each.fromMs <= at.atMs && at.atMs < each.untilMs + at.graceMs);
    return isShown ? [each.notice] : [];
  });
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}

import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { DAY_MS } from '../../../../contract/values/time-units.ts';
import { describeBucket } from '../../../platform/storage/s3/address.ts';
import { toDraftName } from '../claim.ts';
import { writeSynced } from '../../../platform/synced-files.ts';
import type { CopyTarget } from './copies.ts';

/** In the folder of the backups: which of their files are in the bucket. Without it, all are sent again. */
const SENT = 'sent-files';
/**
 * A file is sent again after 15 to 30 days, so that a rule of the bucket may delete what is older. The days differ by file,
 * so that not all are sent again at once.
 */
const AGAIN_DAYS_MIN = 15;
const AGAIN_DAYS_MAX = 30;

const HeadSchema = v.object({ place: v.string(), publicKey: v.string(), nameKey: v.string() });
const LINE = /^([0-9a-f]{64}) (\d{1,15})$/;

export interface SentFiles {
  /** Names the objects of this bucket; kept as long as bucket and key are. */
  readonly nameKey: string;
  has(hash: string): boolean;
  add(hash: string): Promise<void>;
  close(): Promise<void>;
}

/** Reads what was sent to this bucket for this key. Forgets all of another one. */
export async function openSent(
  folder: string,
  { bucket, publicKey }: CopyTarget,
  nowMs: number,
): Promise<SentFiles> {
  const file = join(folder, SENT);
  const place = describeBucket(bucket);
  const known = await readSent(file, nowMs);
  const isSame = known?.head.place === place && known.head.publicKey === publicKey;
  const head = isSame ? known.head : { place, publicKey, nameKey: randomBytes(32).toString('base64url') };
  const times = isSame ? known.times : new Map<string, number>();
  // Without the lines that do not count any more.
  const draft = join(folder, toDraftName(SENT));
  await writeSynced(draft, toLines(head, times));
  await rename(draft, file);
  // A line that is lost means a file that is sent once more.
  const handle = await open(file, 'a', 0o600);
  return {
    nameKey: head.nameKey,
    has: (hash) => times.has(hash),
    async add(hash) {
      times.set(hash, nowMs);
      await handle.appendFile(`${hash} ${nowMs}\n`);
    },
    close: () => handle.close(),
  };
}

/** Undefined if there is no such file, or if it is not a list: then all files are sent again. */
async function readSent(file: string, nowMs: number) {
  const text = await readFile(file, 'utf8').catch(() => '');
  const end = text.indexOf('\n');
  const head = v.safeParse(v.pipe(v.string(), v.parseJson(), HeadSchema), text.slice(0, end));
  if (!head.success) return undefined;
  const times = new Map<string, number>();
  for (const line of text.slice(end + 1).split('\n')) {
    const [, hash = '', at] = LINE.exec(line) ?? [];
    if (at !== undefined && isFresh(hash, Number(at), nowMs)) times.set(hash, Number(at));
  }
  return { head: head.output, times };
}

function isFresh(hash: string, atMs: number, nowMs: number): boolean {
  const days = AGAIN_DAYS_MIN + (Number.parseInt(hash.slice(0, 8), 16) % (AGAIN_DAYS_MAX - AGAIN_DAYS_MIN));
  return atMs <= nowMs && nowMs - atMs < days * DAY_MS;
}

async function* toLines(head: object, times: ReadonlyMap<string, number>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  for (const [hash, at] of times) yield Buffer.from(`${hash} ${at}\n`);
}

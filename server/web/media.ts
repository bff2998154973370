import { LRUCache } from 'lru-cache';
import { HOUR_SEC } from '../../contract/values/time-units.ts';
import { PICTURE_WIDTHS } from '../../contract/site/pictures.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import { toAttachment, toDownloadName } from '../media/download-names.ts';
import { toAudioFileName, toFileEnding } from '../media/file-urls.ts';
import { toPictureKey, toSoundKey } from '../media/object-keys.ts';
import type { Signatures } from '../media/signatures.ts';
import { MissingObjectError } from '../platform/storage/port.ts';
import type { ObjectReply, ToBrowserAddress } from '../platform/storage/s3/browser-addresses.ts';
import type { Storage, StoredObject } from '../platform/storage/port.ts';
import { sendFile, sendJson, setHeaders } from './replies.ts';
import type { Exchange } from './replies.ts';
import { UPLOAD_POLICY } from './security-headers.ts';
import type { Header } from './security-headers.ts';
import type { Target } from './targets.ts';
import { READ_ONLY_TEXT } from '../platform/http/reply-texts.ts';

/** The data of a sound that is needed to send its file; includes private sounds. */
export interface SoundFile {
  readonly audio_key: string;
  readonly audio_mime: string;
  /** Bytes. */
  readonly audio_size: number;
  readonly is_published: boolean;
  readonly title: string;
  readonly artistUsername: string;
}

export interface MediaOptions {
  readonly storage: Storage;
  readonly findSoundFile: (soundId: string) => Promise<SoundFile | undefined>;
  readonly signatures: Signatures;
  /** Origin of a web client on another host, which may read our files. */
  readonly webOrigin: string | null;
  /** Sends browsers to the bucket for what is public; absent: everything is streamed. */
  readonly toBrowserAddress?: ToBrowserAddress | undefined;
  /** Looks up a picture whose key a visitor may have invented; by default in the storage. */
  readonly findPicture?: ((exchange: Exchange, key: string) => Promise<StoredObject | undefined>) | undefined;
  readonly log: Log;
}

export type MediaHandler = (exchange: Exchange, target: Target) => Promise<void>;

/** Before version 1.3.0, keys were hexadecimal. */
const PICTURE = /^\/media\/pictures\/([\w-]{22}|[0-9a-f]{64})\/(\d{1,4})\.webp$/;
const SOUND = /^\/media\/sounds\/([\w-]{1,64})\/([\w.]{1,32})$/;
const DOWNLOAD = /^\/media\/downloads\/([\w-]{1,64})$/;
const WIDTHS = new Set<number>(Object.values(PICTURE_WIDTHS).flat());

const FOREVER: Header = ['cache-control', 'public, max-age=31536000, immutable'];
/** A sound may become private, so players that cache it longer must revalidate it by its ETag. */
const FIVE_MINUTES: Header = ['cache-control', 'public, max-age=300'];
const NEVER: Header = ['cache-control', 'private, no-store'];

/** About 3 MB. */
const PICTURE_SIZES_MAX = 20_000;
/** The lifetimes of addresses of the bucket. A sound that is paused for longer is requested again. */
const PICTURE_ADDRESS = { lifetimeSec: 12 * HOUR_SEC, sameForSec: 12 * HOUR_SEC };
const SOUND_ADDRESS = { lifetimeSec: 3 * HOUR_SEC, sameForSec: HOUR_SEC };
const ONE_HOUR: Header = ['cache-control', `public, max-age=${HOUR_SEC}`];

/**
 * Serves `/media/…`: pictures, sounds to play and downloads, streamed from storage. Throws `Problem` for what cannot be
 * had.
 */
export function createMediaHandler({
  storage,
  findSoundFile,
  signatures,
  webOrigin,
  toBrowserAddress,
  findPicture = (_, key) => storage.find(key),
  log,
}: MediaOptions): MediaHandler {
  /** Sizes of pictures that exist, which saves a request to a bucket for each reader. */
  const pictureSizes = new LRUCache<string, number>({ max: PICTURE_SIZES_MAX });
  const reportedMissing = new Set<string>();
  const corsHeaders = toCorsHeaders(webOrigin);

  async function sendObject(
    exchange: Exchange,
    { key, size, etag }: { readonly key: string; readonly size: number; readonly etag: string },
    headers: readonly Header[],
  ): Promise<void> {
    await sendFile(exchange, {
      size,
      etag,
      headers: [['content-security-policy', UPLOAD_POLICY], ...corsHeaders, ...headers],
      content: (range) => storage.open(key, range),
    });
  }

  /**
   * Sends a browser to the bucket, unless it is a script's request: the bucket need not have CORS rules. Downloads are
   * such requests. Returns false when the object must be streamed. Signatures of the bucket are for GET alone.
   */
  async function redirect(
    { req, res }: Exchange,
    key: string,
    reply: ObjectReply,
    caching: Header,
  ): Promise<boolean> {
    if (toBrowserAddress === undefined) return false;
    setHeaders(res, [['vary', 'Sec-Fetch-Mode']]);
    if (req.method !== 'GET' || req.headers['sec-fetch-mode'] === 'cors') return false;
    const address = await toBrowserAddress(key, reply);
    setHeaders(res, [['content-security-policy', UPLOAD_POLICY], ['location', address], caching]);
    res.writeHead(307).end();
    return true;
  }

  async function sendPicture(exchange: Exchange, key: string, width: number): Promise<void> {
    const path = toPictureKey(key, width);
    if (!WIDTHS.has(width)) throw noFile();
    const reply = { type: 'image/webp', cacheControl: FOREVER[1], ...PICTURE_ADDRESS };
    if (await redirect(exchange, path, reply, ONE_HOUR)) return;
    const size = pictureSizes.get(path) ?? (await findPicture(exchange, path))?.size;
    // A page may refer to a deleted object, and any client can invent keys: not reported.
    if (size === undefined) throw noFile();
    pictureSizes.set(path, size);
    const object = { key: path, size, etag: `"${key.slice(0, 32)}-${width}"` };
    try {
      await sendObject(exchange, object, [['content-type', 'image/webp'], FOREVER]);
    } catch (error) {
      if (!isMissing(error, exchange)) throw error;
      pictureSizes.delete(path);
      throw missing(exchange);
    }
  }

  async function sendSound(
    exchange: Exchange,
    id: string,
    fileName: string,
    query: URLSearchParams,
  ): Promise<void> {
    const sound = await findSoundFile(id);
    if (sound === undefined || fileName !== toAudioFileName(sound.audio_key, sound.audio_mime)) {
      throw noFile();
    }
    const signature = sound.is_published ? 'valid' : signatures.check('play', id, query);
    if (signature === 'expired') throw expired();
    // A private sound is answered as not found.
    if (signature === 'invalid') throw noFile();
    const key = toSoundKey(sound.audio_key);
    const reply = { type: sound.audio_mime, cacheControl: FIVE_MINUTES[1], ...SOUND_ADDRESS };
    if (sound.is_published && (await redirect(exchange, key, reply, FIVE_MINUTES))) return;
    await sendObject(exchange, toObject(sound), [
      ['content-type', sound.audio_mime],
      sound.is_published ? FIVE_MINUTES : NEVER,
    ]);
  }

  async function sendDownload(exchange: Exchange, id: string, query: URLSearchParams): Promise<void> {
    const shared = signatures.check('download', id, query);
    const own = signatures.check('download-private', id, query);
    const signature = shared === 'invalid' ? own : shared;
    if (signature === 'invalid') {
      throw new Problem(403, 'このダウンロードのアドレスは正しくありません。');
    }
    if (signature === 'expired') throw expired();
    const sound = await findSoundFile(id);
    // Once private, only its artist can read it.
    if (sound === undefined || (!sound.is_published && own === 'invalid')) throw noFile();
    const name = toDownloadName(sound.title, sound.artistUsername, toFileEnding(sound.audio_mime));
    await sendObject(exchange, toObject(sound), [
      ['content-type', sound.audio_mime],
      ['content-disposition', toAttachment(name)],
      NEVER,
    ]);
  }

  async function route(exchange: Exchange, { path, query }: Target): Promise<void> {
    const picture = PICTURE.exec(path);
    if (picture) return sendPicture(exchange, picture[1] ?? '', Number(picture[2]));
    const sound = SOUND.exec(path);
    if (sound) return sendSound(exchange, sound[1] ?? '', sound[2] ?? '', new URLSearchParams(query));
    const download = DOWNLOAD.exec(path);
    if (download) return sendDownload(exchange, download[1] ?? '', new URLSearchParams(query));
    throw noFile();
  }

  return async (exchange, target) => {
    const { req, res, requestId } = exchange;
    setHeaders(res, corsHeaders);
    if (req.method === 'OPTIONS') return sendPreflight(exchange);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return sendJson(exchange, 405, { detail: READ_ONLY_TEXT }, [['allow', 'GET, HEAD, OPTIONS']]);
    }
    try {
      await route(exchange, target);
    } catch (error) {
      if (!isMissing(error, exchange)) throw error;
      if (!reportedMissing.has(error.message) && reportedMissing.size < 10_000) {
        reportedMissing.add(error.message);
        log.error({ id: requestId, err: error }, 'stored file is missing');
      }
      throw missing(exchange);
    }
  };
}

function toObject({ audio_key, audio_size }: SoundFile) {
  return { key: toSoundKey(audio_key), size: audio_size, etag: `"${audio_key}"` };
}

/** Whether the object of a reply that has not begun is missing. */
function isMissing(error: unknown, { res }: Exchange): error is MissingObjectError {
  return error instanceof MissingObjectError && !res.headersSent;
}

/** Answers instead of the file whose headers were set. */
function missing({ res }: Exchange): Problem {
  for (const name of ['content-disposition', 'etag', 'accept-ranges']) res.removeHeader(name);
  return noFile();
}

/** Lets a web client on another host load and read files. */
export function toCorsHeaders(webOrigin: string | null): Header[] {
  if (webOrigin === null) return [['cross-origin-resource-policy', 'same-site']];
  return [
    ['cross-origin-resource-policy', 'cross-origin'],
    ['access-control-allow-origin', webOrigin],
    ['access-control-allow-credentials', 'true'],
    [
      'access-control-expose-headers',
      'accept-ranges, content-disposition, content-length, content-range, etag',
    ],
  ];
}

function sendPreflight({ res }: Exchange): void {
  setHeaders(res, [
    ['content-security-policy', UPLOAD_POLICY],
    ['allow', 'GET, HEAD, OPTIONS'],
    ['access-control-allow-methods', 'GET, HEAD'],
    ['access-control-allow-headers', 'range, if-range'],
    ['access-control-max-age', '86400'],
  ]);
  res.writeHead(204).end();
}

function noFile(): Problem {
  return new Problem(404, 'ファイルが見つかりません。');
}

function expired(): Problem {
  return new Problem(410, 'このアドレスの期限が切れました。もう一度お試しください。');
}

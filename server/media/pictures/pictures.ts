import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { PICTURE_SHAPES, PICTURE_WIDTHS } from '../../../contract/site/pictures.ts';
import type { PictureKind } from '../../../contract/site/pictures.ts';
import type { Storage } from '../../platform/storage/port.ts';
import { toPictureKey } from '../object-keys.ts';
import { runInProcess } from './processes.ts';
import type { PictureFile, PictureTask } from './work.ts';

export type { PictureFile };

/**
 * Re-encodes a JPEG or PNG as WebP in every width of its kind, without any metadata, and returns its key: the objects
 * are `pictures/{key}/{width}.webp`. The same bytes, kind and `salt` give the same key; a unique salt gives a key that
 * can be deleted later. `owner`: whose picture waits for which others. Throws `UnusablePictureError` and `Busy`.
 */
export async function storePicture(
  storage: Storage,
  file: PictureFile,
  kind: PictureKind,
  salt = '',
  owner = '',
): Promise<string> {
  const key = await hashPicture(file, kind, salt);
  const widths = PICTURE_WIDTHS[kind];
  const task: PictureTask = { kind: 'widths', widths, shape: PICTURE_SHAPES[kind] };
  const pictures = await runInProcess(() => ({ file: toMessage(file), task }), owner);
  const stored: string[] = [];
  try {
    for (const [index, width] of widths.entries()) {
      const object = toPictureKey(key, width);
      if (await storage.has(object)) continue;
      await storage.put(object, pictures[index] ?? new Uint8Array());
      stored.push(object);
    }
  } catch (error) {
    await Promise.allSettled(stored.map((object) => storage.delete(object)));
    throw error;
  }
  return key;
}

/** Characters of a key: 132 bits. It stands in every page that shows the picture. */
const KEY_LENGTH = 22;

/** The key that `storePicture` returns, for callers that must record it before the picture is stored. */
export async function hashPicture(file: PictureFile, kind: PictureKind, salt: string): Promise<string> {
  const hash = createHash('sha256').update(`${kind}\n${salt}\n`);
  if (file instanceof Uint8Array) hash.update(file);
  else for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
  return hash.digest('base64url').slice(0, KEY_LENGTH);
}

/** Deletes every width of a picture; no other record may use its key. */
export async function deletePicture(storage: Storage, key: string, kind: PictureKind): Promise<void> {
  await Promise.all(PICTURE_WIDTHS[kind].map((width) => storage.delete(toPictureKey(key, width))));
}

/**
 * Re-encodes a photograph of a document as a JPEG, upright, without metadata such as its location. It is read when its
 * turn has come: on the disk it may be encrypted. Throws `UnusablePictureError` and `Busy`.
 */
export async function encodePhotograph(
  file: Uint8Array | { read(): Promise<Uint8Array> },
  owner = '',
): Promise<Buffer> {
  const task: PictureTask = { kind: 'photograph' };
  const read = async () => (file instanceof Uint8Array ? file : file.read());
  return toOne(await runInProcess(async () => ({ file: await read(), task }), owner));
}

/**
 * Re-encodes a picture of the staff as a WebP, which moves if the picture does, without anything else that the file
 * contained. Throws `UnusablePictureError` and `Busy`.
 */
export async function encodeNoticePicture(file: PictureFile, owner = ''): Promise<Buffer> {
  return toOne(await runInProcess(() => ({ file: toMessage(file), task: { kind: 'notice' } }), owner));
}

/** A file of a form has functions, which cannot be sent to a process. */
function toMessage(file: PictureFile): PictureFile {
  return file instanceof Uint8Array ? file : { path: file.path };
}

function toOne([picture = new Uint8Array()]: readonly Uint8Array[]): Buffer {
  return Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
}

import {
  FORMAT_HEAD_BYTES,
  findOtherCodec,
  findOtherFormat,
} from '../../../contract/sounds/audio-formats.ts';

/** Limit of top-level boxes that are read; real files have five. */
const BOXES_MAX = 100;
/** The largest index of an hour of sound has 1.5 MB. */
const INDEX_BYTES_MAX = 4 * 1024 * 1024;
const BOX_HEAD_BYTES = 16;
/** A sample description (ISO 14496-12 §8.5.2): version, flags and count, then the first entry's size and type. */
const ENTRY_TYPE = /stsd[^]{12}([^]{4})/g;

/** The format of a file that is neither MP3 nor AAC in an M4A; undefined if unknown. Never rejects. */
export async function findUnsupportedFormat(file: Blob): Promise<string | undefined> {
  try {
    return findOtherFormat(await readBytes(file, 0, FORMAT_HEAD_BYTES)) ?? (await findCodec(file));
  } catch {
    return undefined;
  }
}

async function findCodec(file: Blob): Promise<string | undefined> {
  for (let at = 0, seen = 0; at + 8 <= file.size && seen < BOXES_MAX; seen += 1) {
    const { buffer } = await readBytes(file, at, BOX_HEAD_BYTES);
    const head = new DataView(buffer);
    const short = head.getUint32(0);
    const size = short === 1 ? Number(head.getBigUint64(8)) : short;
    if (new TextDecoder().decode(buffer.slice(4, 8)) === 'moov') {
      const index = await readBytes(file, at, Math.min(size, INDEX_BYTES_MAX));
      const text = new TextDecoder('latin1').decode(index);
      return Array.from(text.matchAll(ENTRY_TYPE), ([, type = '']) => findOtherCodec(type)).find(Boolean);
    }
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
}

async function readBytes(file: Blob, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(at, at + length).arrayBuffer());
}

import { createBoxReader, requireBox } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';
import { readBytes } from './source.ts';
import type { ByteSource } from './source.ts';

/** The items of iTunes’ tags, in moov/udta/meta/ilst. Throws `UnusableAudioError` without them. */
export async function listItunesItems(source: ByteSource): Promise<{ reader: BoxReader; items: Box[] }> {
  const reader = createBoxReader(source);
  const movie = await reader.list(requireBox(await reader.top(), 'moov'));
  const meta = requireBox(await reader.list(requireBox(movie, 'udta')), 'meta');
  // Version and flags, all zero, which QuickTime leaves out.
  const hasVersion = (await readBytes(source, meta.start, 4)).equals(Buffer.alloc(4));
  const parts = await reader.list({ ...meta, start: meta.start + (hasVersion ? 4 : 0) });
  return { reader, items: await reader.list(requireBox(parts, 'ilst')) };
}

import { beforeEach, describe, expect, test } from 'vitest';
import { RESUMABLE_BYTES_MAX } from '#contract/sounds/resumable-uploads.ts';
import { PIECE_BYTES_MAX, PIECE_BYTES_MIN } from '#server/features/my-sounds/uploads/store.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';
import { useResumableApi, createUpload, readOffset, sendPiece } from '#support/sounds/resumable-uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const KIB = 1024;

describe.each(ruleDatabases)('pieces of uploads on $name', ({ open }) => {
  const { database, api, stored, readBytes, useMember } = useResumableApi(open, () => {
    const memory = createMemoryStorage();
    const stored = { objects: 0, objectsMax: 0, bytes: 0 };
    const storage: Storage = {
      ...memory,
      async put(key, content) {
        await memory.put(key, content);
        stored.objects = memory.objects.size;
        stored.objectsMax = Math.max(stored.objectsMax, stored.objects);
        stored.bytes += memory.objects.get(key)?.byteLength ?? 0;
      },
      async delete(key) {
        await memory.delete(key);
        stored.objects = memory.objects.size;
      },
    };
    return { storage, stored };
  });
  const artist = useMember({ username: 'artist', is_verified: true });
  beforeEach(() => api.logIn(artist));

  const sizes = async () => {
    const rows = await everyTable(database.db)
      .selectFrom('upload_pieces')
      .select(['state', 'size_bytes'])
      .orderBy('start_byte')
      .execute();
    expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'received'));
    return rows.map((row) => row.size_bytes);
  };

  test('a long part becomes several pieces', async () => {
    const content = Buffer.alloc(2 * PIECE_BYTES_MAX + 1, 'sound');
    const address = await createUpload(api, artist, content.byteLength);
    expect((await sendPiece(api, artist, address, 0, content)).status).toBe(204);
    expect(await sizes()).toEqual([PIECE_BYTES_MAX, PIECE_BYTES_MAX, 1]);
    expect((await readBytes(address)).equals(content)).toBe(true);
  });

  test('the last piece grows no longer than others when a part is joined to it', async () => {
    const content = Buffer.alloc(PIECE_BYTES_MAX + 5_000, 'sound');
    const address = await createUpload(api, artist, content.byteLength);
    await sendPiece(api, artist, address, 0, content.subarray(0, 1_000));
    expect((await sendPiece(api, artist, address, 1_000, content.subarray(1_000))).status).toBe(204);
    expect(await sizes()).toEqual([PIECE_BYTES_MAX, 5_000]);
    expect((await readBytes(address)).equals(content)).toBe(true);
  });

  test('U12: parts of one byte create one object', async () => {
    const content = Buffer.from('a hundred bytes, sent one at a time, as an attacker would. '.repeat(2));
    const address = await createUpload(api, artist, 10_000);
    for (let offset = 0; offset < content.byteLength; offset += 1) {
      const sent = await sendPiece(api, artist, address, offset, content.subarray(offset, offset + 1));
      expect(sent.status).toBe(204);
    }
    expect(await readOffset(api, artist, address)).toBe(content.byteLength);
    expect(await readBytes(address)).toEqual(content);
    expect(await sizes()).toEqual([content.byteLength]);
    expect([stored.objects, stored.objectsMax]).toEqual([1, 2]);
  });

  test('small parts create few objects, and each byte is stored a bounded number of times', async () => {
    const part = 16 * KIB;
    const content = Buffer.alloc(48 * part, 'small');
    const address = await createUpload(api, artist, content.byteLength);
    for (let offset = 0; offset < content.byteLength; offset += part) {
      const sent = await sendPiece(api, artist, address, offset, content.subarray(offset, offset + part));
      expect(sent.status).toBe(204);
    }
    expect(await sizes()).toEqual([PIECE_BYTES_MIN, PIECE_BYTES_MIN, PIECE_BYTES_MIN]);
    expect(stored.objectsMax).toBe(4);
    expect(stored.bytes).toBeLessThanOrEqual((content.byteLength * PIECE_BYTES_MIN) / part);
    expect((await readBytes(address)).equals(content)).toBe(true);
    // Of the largest upload: all pieces but the last are at least this large.
    expect(Math.ceil(RESUMABLE_BYTES_MAX / PIECE_BYTES_MIN)).toBeLessThanOrEqual(400);
  });

  test('a part without bytes creates nothing', async () => {
    const address = await createUpload(api, artist, 10);
    expect((await sendPiece(api, artist, address, 0, new Uint8Array())).status).toBe(204);
    expect([await sizes(), stored.objectsMax]).toEqual([[], 0]);
  });
});

import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isSoak } from '#support/depth.ts';
import { MIB, startHostProcess } from '#support/processes/host-process.ts';
import { logIn, withDatabaseOf } from '#support/http/host.ts';
import { PIECE_TYPE, UPLOADS_PATH } from '#support/sounds/resumable-uploads.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { listRows } from '#support/databases/databases.ts';

describe.runIf(isSoak && process.platform === 'linux')('uploads in pieces', () => {
  // The time of a garbage collection varies; a leak shows in every round.
  test(
    'ten concurrent uploads of 100 MB add less than 100 MB of memory',
    { timeout: 120_000, retry: 2 },
    async () => {
      const { url, dataDir, watchMemory } = await startHostProcess();
      const [warmUp = '', access = ''] = await withDatabaseOf(dataDir, async (database) => [
        await logIn(database, dataDir, await addUploader(database, 'first')),
        await logIn(database, dataDir, await addUploader(database, 'second')),
      ]);

      const slice = Buffer.alloc(64 * 1024, 7);
      async function send(token: string, bytes: number, pieces: number): Promise<string> {
        const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
        const length = { 'upload-length': String(bytes) };
        const created = await fetch(url + UPLOADS_PATH, {
          method: 'POST',
          headers: { ...headers, ...length },
        });
        expect(created.status).toBe(201);
        const address = created.headers.get('location') ?? '';
        for (let piece = 0; piece < pieces; piece += 1) {
          const status = await sendPiece(headers, address, (piece * bytes) / pieces, bytes / pieces);
          if (status !== 204) throw new Error(`a piece was answered ${status}`);
        }
        return address;
      }
      async function sendPiece(
        headers: Readonly<Record<string, string>>,
        address: string,
        offset: number,
        bytes: number,
      ): Promise<number> {
        const about = { 'content-type': PIECE_TYPE, 'upload-offset': String(offset) };
        const sending = request(url + address, {
          method: 'PATCH',
          agent: false,
          headers: { ...headers, ...about, 'content-length': bytes },
        });
        const answered = new Promise<number>((resolve, reject) => {
          sending
            .on('response', (response) => resolve(response.resume().statusCode ?? 0))
            .on('error', reject);
        });
        for (let sent = 0; sent < bytes; sent += slice.byteLength) {
          if (!sending.write(slice)) await new Promise((resolve) => sending.once('drain', resolve));
        }
        sending.end();
        return answered;
      }
      // V8 allows about 64 MB of buffers before its first collection.
      await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(warmUp, 30 * MIB, 2)));
      const readGrowth = await watchMemory();
      const startedAt = performance.now();
      // Half of them arrive in one piece, as a client may send them.
      const addresses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => send(access, 100 * MIB, index % 2 === 0 ? 25 : 1)),
      );
      const grown = await readGrowth();
      const sentMs = Math.round(performance.now() - startedAt);
      console.info(`ten uploads of 100 MB in pieces: ${Math.round(grown / MIB)} MiB more, ${sentMs} ms`);
      expect(grown).toBeLessThan(100 * MIB);
      const sizes = await withDatabaseOf(dataDir, (database) =>
        listRows(database, 'resumable_uploads', {}, ['id', 'received_bytes']),
      );
      for (const address of addresses) {
        expect(sizes).toContainEqual({ id: address.slice(UPLOADS_PATH.length), received_bytes: 100 * MIB });
      }
    },
  );
});

import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { FLAT_PEAKS } from '#contract/sounds/peaks.ts';
import { isSoak } from '#support/depth.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { MIB, startHostProcess } from '#support/processes/host-process.ts';
import { logIn, withDatabaseOf } from '#support/http/host.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { listRows } from '#support/databases/databases.ts';

describe.runIf(isSoak && process.platform === 'linux')('uploads', () => {
  test(
    'ten concurrent uploads of 100 MB and their waveforms add less than 100 MB of memory',
    { timeout: 240_000 },
    async () => {
      const { url, dataDir, temporary, watchMemory } = await startHostProcess({ RATE_LIMITS: 'off' });
      const [access, type] = await withDatabaseOf(dataDir, async (database) => {
        const artist = await addUploader(database, 'artist');
        const typeId = await createSoundType(database, { name: 'BGM' });
        return [await logIn(database, dataDir, artist), String(typeId)] as const;
      });

      const long = makeLongMp3(100 * MIB, 0);
      async function send(bytes: number, variant: number): Promise<number> {
        // The bytes are one buffer, sent ten times with different first frames, so that they use little memory.
        const form = toFormBytes([
          { name: 'types', content: type },
          { name: 'file', filename: `${variant}.mp3`, content: makeLongMp3(1_044, variant) },
        ]);
        const end = form.lastIndexOf('\r\n--');
        const pieces = [
          form.subarray(0, end),
          long.subarray(1_044, bytes - (bytes % 1_044)),
          form.subarray(end),
        ];
        return new Promise((resolve, reject) => {
          const headers = { authorization: `Bearer ${access}`, 'content-type': FORM_TYPE };
          const sending = request(`${url}/api/sounds/`, { method: 'POST', agent: false, headers });
          sending.on('response', (response) => {
            void buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
          });
          sending.on('error', reject);
          Readable.from(toSlices(pieces)).pipe(sending);
        });
      }
      const undecoded = () =>
        withDatabaseOf(dataDir, async (database) => (await listRows(database, 'undecoded_sounds')).length);
      // V8 allows about 64 MB of buffers before its first collection.
      await Promise.all([1, 2, 3, 4].map((warm) => send(30 * MIB, warm)));
      await expect.poll(undecoded, { timeout: 30_000 }).toBe(0);
      const readGrowth = await watchMemory();
      const startedAt = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => send(100 * MIB, 100 + index)),
      );
      const sentMs = performance.now() - startedAt;
      const sent = await readGrowth();
      // Files are read one at a time, so three need as much memory as ten.
      await expect.poll(undecoded, { timeout: 100_000, interval: 500 }).toBeLessThan(8);
      const drawn = await readGrowth();
      const drawnMs = performance.now() - startedAt;
      console.info(
        `ten uploads of 100 MB: ${Math.round(sent / MIB)} MiB more, ${Math.round(sentMs)} ms; ` +
          `with the waveforms of three ${Math.round(drawn / MIB)} MiB more, ${Math.round(drawnMs)} ms`,
      );
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
      expect(drawn).toBeLessThan(100 * MIB);
      // The memory of the uploads is free; the waveform being read has a file.
      await expect.poll(async () => (await temporary()).length).toBeLessThan(2);
      const peaks = await withDatabaseOf(dataDir, async (database) =>
        listRows(database, 'sounds', {}, ['peaks']),
      );
      expect(peaks.filter((row) => row.peaks !== FLAT_PEAKS).length).toBeGreaterThan(6);
    },
  );
});

function* toSlices(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += 64 * 1024) yield piece.subarray(at, at + 64 * 1024);
  }
}

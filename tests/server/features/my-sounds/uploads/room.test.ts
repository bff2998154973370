import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { RESUMABLE_AGE_MS_MAX, RESUMABLE_AT_ONCE_MAX } from '#contract/sounds/resumable-uploads.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { RESERVE_BYTES, createDiskSpace } from '#server/platform/storage/disk-space.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { type TemporaryFiles, openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import type { TestApi } from '#support/http/api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import {
  UPLOADS_PATH,
  createUpload,
  listPieces,
  readOffset,
  readReceived,
  sendPiece,
  toProblem,
  tus,
} from '#support/sounds/resumable-uploads.ts';
import { addUploader, createUploadApi } from '#support/sounds/uploads.ts';

const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;

describe.each(bothDatabases)(
  'a disk that several processes and members share, on $name',
  ({ open, rule }) => {
    const database = useDatabase(open);
    let folders: { files: string; temporary: string };
    let capacity: number;
    let processes: { api: TestApi; temporaryFiles: TemporaryFiles; storage: Storage }[];
    let api: TestApi;
    let artist: string;

    beforeEach(async () => {
      const folder = await makeFolder();
      folders = { files: join(folder, 'files'), temporary: join(folder, 'temporary') };
      capacity = RESERVE_BYTES + 350 * MIB;
      processes = [await start(), await start()];
      api = processes[0]!.api;
      artist = await addUploader(database, 'artist');
      for (const each of processes) await each.api.logIn(artist);
    });

    /** The rest of the capacity besides the present files. */
    async function measureFree(): Promise<number> {
      let free = capacity;
      for (const folder of Object.values(folders)) {
        for (const name of await readdir(folder, { recursive: true })) {
          const found = await stat(join(folder, name)).catch(() => undefined);
          free -= found?.isFile() ? found.size : 0;
        }
      }
      return free;
    }
    async function start() {
      const room = createDiskSpace(measureFree);
      const temporaryFiles = await openTemporaryFiles(folders.temporary, Date.now, room);
      const storage = await openFolderStorage(folders.files, Date.now, room);
      const { api } = await createUploadApi(database, { storage, temporaryFiles });
      return { api, temporaryFiles, storage };
    }
    const create = (bytes: number, userId = artist, by = api) =>
      tus(by, 'POST', UPLOADS_PATH, { userId, headers: { 'upload-length': String(bytes) } });
    const statuses = async (answers: readonly Promise<Response>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);

    rule('accepts as many uploads of 100 MB as fit, before any of their bytes arrive', async () => {
      const answers: number[] = [];
      for (let index = 0; index < 12; index += 1) {
        answers.push((await create(100 * MIB, artist, processes[index % 2]?.api)).status);
      }
      expect(answers.filter((status) => status === 201)).toHaveLength(3);
      expect(new Set(answers)).toEqual(new Set([201, 507]));
      const other = await addUploader(database, 'other');
      expect(await toProblem(await create(60 * MIB, other))).toEqual([507, ['detail']]);
      expect((await create(40 * MIB, other)).status).toBe(201);
      expect(await listRows(database, 'resumable_uploads', {}, ['id'])).toHaveLength(4);
    });

    test('never accepts more than fit when two processes are called concurrently', async () => {
      const asked = Array.from({ length: 10 }, (_, index) =>
        create(100 * MIB, artist, processes[index % 2]?.api),
      );
      const taken = (await statuses(asked)).filter((status) => status === 201).length;
      expect(taken).toBeLessThanOrEqual(3);
      // Uploads that conflicted find room at the next attempt.
      for (let more = taken; more < 3; more += 1) expect((await create(100 * MIB)).status).toBe(201);
      expect((await create(100 * MIB)).status).toBe(507);
    });

    rule('frees the room of deleted and expired uploads', async () => {
      const address = await createUpload(api, artist, 100 * MIB);
      await createUpload(api, artist, 100 * MIB);
      expect((await create(200 * MIB - 1)).status).toBe(413);
      expect((await create(100 * MIB)).status).toBe(201);
      expect((await create(100 * MIB)).status).toBe(507);
      await tus(api, 'DELETE', address, { userId: artist });
      expect((await create(100 * MIB)).status).toBe(201);
      for (const each of processes) each.api.clock.advance(RESUMABLE_AGE_MS_MAX);
      expect((await create(100 * MIB)).status).toBe(201);
    });

    rule('frees the room of uploads that were removed for another', async () => {
      const content = Buffer.alloc(9 * MIB);
      for (let index = 0; index < RESUMABLE_AT_ONCE_MAX; index += 1) {
        const address = await createUpload(api, artist, 10 * MIB);
        expect((await sendPiece(api, artist, address, 0, content)).status).toBe(204);
      }
      for (const each of processes) each.api.clock.advance(2 * HOUR_MS);
      capacity = RESERVE_BYTES + 100 * MIB;
      // It does not fit unless their 90 MB are freed.
      expect((await create(95 * MIB)).status).toBe(201);
      expect(await listPieces(processes[0]!.storage)).toEqual([]);
    });

    rule('counts forms and uploads together, and received bytes only once', async () => {
      const [one, two] = processes;
      const form = await one!.temporaryFiles.make(false, 300 * MIB);
      expect((await create(60 * MIB, artist, two!.api)).status).toBe(507);
      await form.append(Buffer.alloc(20 * MIB));
      expect((await create(60 * MIB, artist, two!.api)).status).toBe(507);
      expect((await create(45 * MIB, artist, two!.api)).status).toBe(201);
      await expect(two!.temporaryFiles.make(true, 10 * MIB)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(await readdir(folders.temporary)).toHaveLength(1);
      await form.close();
      await (await two!.temporaryFiles.make(true, 200 * MIB)).remove();
      await form.remove();
      expect(await readdir(folders.temporary)).toEqual([]);
    });

    rule('refuses a piece that would use the reserve; received bytes stay for later', async () => {
      const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
      const address = await createUpload(api, artist, 5_000);
      expect((await sendPiece(api, artist, address, 0, content.subarray(0, 2_000))).status).toBe(204);
      const before = capacity;
      // Another program fills the disk, which no reservation can prevent.
      capacity = RESERVE_BYTES + 2_500;
      await new Promise((resolve) => setTimeout(resolve, 300));
      const refused = await sendPiece(api, artist, address, 2_000, content.subarray(2_000));
      expect(await toProblem(refused)).toEqual([507, ['detail']]);
      expect(await readOffset(api, artist, address)).toBe(2_000);
      capacity = before;
      expect((await sendPiece(api, artist, address, 2_000, content.subarray(2_000))).status).toBe(204);
      expect(await readReceived(database, processes[0]!.storage, address)).toEqual(content);
    });
  },
);

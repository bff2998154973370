import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { RESUMABLE_AGE_MS_MAX } from '#contract/sounds/resumable-uploads.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { PIECE_BYTES_MAX } from '#server/features/my-sounds/uploads/store.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { type Storage, INCOMING_MS_MAX } from '#server/platform/storage/port.ts';
import type { TestApi } from '#support/http/api.ts';
import { type TestLocation, bothDatabases, listRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import {
  UPLOADS_PATH,
  createUpload,
  listPieces,
  makeSound,
  readOffset,
  readReceived,
  sendPiece,
  sendUpload,
  tus,
} from '#support/sounds/resumable-uploads.ts';
import { addUploader, createUploadApi, readSound } from '#support/sounds/uploads.ts';
import { startDoomed } from '#support/processes/doomed.ts';

const HALF_PIECE = new URL('./half-piece.ts', import.meta.url);
const MIB = 1024 ** 2;
const content = makeLongMp3(2_000_000, 0);

interface Process {
  readonly api: TestApi;
  readonly database: Database;
  readonly storage: Storage;
  readonly sweep: () => Promise<void>;
}

describe.each(bothDatabases)('uploads by several processes on $name', ({ locate }) => {
  let place: TestLocation;
  let folder: string;
  let one: Process;
  let two: Process;
  let artist: string;
  let type: string;

  beforeEach(async () => {
    place = await locate();
    folder = await makeFolder();
    one = await start();
    two = await start();
    artist = await addUploader(one.database, 'artist');
    type = String(await createSoundType(one.database, { name: 'BGM' }));
    for (const { api } of [one, two]) await api.logIn(artist);
  });
  afterEach(async () => {
    await one.database.close();
    await two.database.close();
    await place.remove();
  });

  /** A process of its own, apart from the memory that tests share. */
  async function start(change: (storage: Storage) => Partial<Storage> = () => ({})): Promise<Process> {
    const database = await openDatabase(place.location);
    const opened = await openFolderStorage(folder);
    const storage = { ...opened, ...change(opened) };
    const { api } = await createUploadApi(database, { storage });
    return { api, database, storage, sweep: () => deleteExpiredUploads(api.deps) };
  }
  const received = (address: string) => readReceived(one.database, one.storage, address);
  const pieces = () => listRows(one.database, 'upload_pieces');
  const listSounds = () => listRows(one.database, 'sounds', {}, ['audio_key']);
  async function expectNothingLeft(): Promise<void> {
    expect([await pieces(), await listPieces(one.storage)]).toEqual([[], []]);
    expect([...one.api.logged, ...two.api.logged]).toEqual([]);
  }
  async function expectWhole(expected: readonly Buffer[]): Promise<void> {
    const stored = (await listSounds()).map(async ({ audio_key }) =>
      buffer(await one.storage.open(`sounds/${audio_key}`)),
    );
    const found = await Promise.all(stored);
    expect(found).toHaveLength(expected.length);
    for (const each of expected) expect(found.some((bytes) => bytes.equals(each))).toBe(true);
  }

  test('each part may go to another process, and each knows the offset at once', async () => {
    const address = await createUpload(one.api, artist, content.byteLength);
    for (let offset = 0, turn = 0; offset < content.byteLength; offset += 300_000, turn += 1) {
      const [receiver, other] = turn % 2 === 0 ? [one, two] : [two, one];
      const part = content.subarray(offset, offset + 300_000);
      expect((await sendPiece(receiver.api, artist, address, offset, part)).status).toBe(204);
      expect(await readOffset(other.api, artist, address)).toBe(offset + part.byteLength);
    }
    expect(await received(address)).toEqual(content);
    await readSound(await makeSound(two.api, artist, address.slice(UPLOADS_PATH.length), type));
    await expectWhole([content]);
    await expectNothingLeft();
  });

  test('U18: of two that receive the same offset at once, one succeeds, and nothing of the other is left', async () => {
    const address = await createUpload(one.api, artist, content.byteLength);
    let offset = 0;
    for (let round = 0; round < 5; round += 1) {
      // Different lengths show whose bytes were taken; a small piece is replaced by the winner.
      const parts = [content.subarray(offset, offset + 90_000), content.subarray(offset, offset + 80_000)];
      const open = parts.map(() => Promise.withResolvers<void>());
      const calls = parts.map((part, index) => {
        const body = new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(part);
            await open[index]!.promise;
            controller.close();
          },
        });
        return sendPiece([one, two][index]!.api, artist, address, offset, body);
      });
      const incoming = async () => (await pieces()).filter(({ state }) => state === 'incoming').length;
      await expect.poll(incoming).toBe(2);
      for (const { resolve } of round % 2 === 0 ? open : open.toReversed()) resolve();
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([204, 409]);
      offset += parts[statuses.indexOf(204)]!.byteLength;
      expect(await readOffset(one.api, artist, address)).toBe(offset);
      expect(await received(address)).toEqual(content.subarray(0, offset));
      expect(await listPieces(one.storage)).toEqual((await pieces()).map(({ id }) => id).toSorted());
    }
    expect((await sendPiece(two.api, artist, address, offset, content.subarray(offset))).status).toBe(204);
    expect(await received(address)).toEqual(content);
    expect([...one.api.logged, ...two.api.logged]).toEqual([]);
  });

  test('two that make a sound of an upload at once make one, and both answer with it', async () => {
    const made: Buffer[] = [];
    for (let round = 0; round < 3; round += 1) {
      const mp3 = makeLongMp3(600_000 + round, round);
      const upload = await sendUpload([one, two][round % 2]!.api, artist, mp3);
      const answers = await Promise.all([one, two].map(({ api }) => makeSound(api, artist, upload, type)));
      const [first, second] = await Promise.all(answers.map(readSound));
      expect(first?.id).toBe(second?.id);
      made.push(mp3);
      await expectWhole(made);
    }
    await expectNothingLeft();
  });

  test('U14: a process that is killed in the middle of a part loses at most its last piece', async () => {
    const bytes = 2 * PIECE_BYTES_MAX + MIB;
    const address = await createUpload(one.api, artist, bytes);
    const { kill } = startDoomed(HALF_PIECE, [
      JSON.stringify(place.location),
      folder,
      artist,
      address,
      bytes - 1,
    ]);
    const states = async () => (await pieces()).map(({ state }) => state).toSorted();
    await expect.poll(states, { timeout: 20_000 }).toEqual(['incoming', 'received', 'received']);
    await kill();

    const offset = await readOffset(one.api, artist, address);
    expect(offset).toBe(2 * PIECE_BYTES_MAX);
    expect((await sendPiece(one.api, artist, address, offset, Buffer.alloc(MIB, 8))).status).toBe(204);
    const expected = Buffer.concat([Buffer.alloc(offset, 7), Buffer.alloc(MIB, 8)]);
    expect((await received(address)).equals(expected)).toBe(true);
    await two.sweep();
    expect(await states()).toEqual(['incoming', 'received', 'received', 'received']);
    two.api.clock.advance(INCOMING_MS_MAX * 10 * 365 * 24); // the child's clock is the real one
    await two.sweep();
    await expectNothingLeft();
  });

  test('sweeps leave alone what another process receives, or makes a sound of', async () => {
    const state = { isDone: false, sweeps: 0 };
    // An hour ahead: everything that the other process does is as old as a sweep still tolerates.
    two.api.clock.advance(INCOMING_MS_MAX);
    const sweeping = (async () => {
      while (!state.isDone) {
        await two.sweep();
        state.sweeps += 1;
        await setImmediate(); // SQLite answers at once
      }
    })();
    const made = [0, 1, 2].map((variant) => makeLongMp3(1_500_000 + variant, variant));
    for (const mp3 of made) {
      const address = await createUpload(one.api, artist, mp3.byteLength);
      for (let offset = 0; offset < mp3.byteLength; offset += 100_000) {
        const part = mp3.subarray(offset, offset + 100_000);
        expect((await sendPiece(one.api, artist, address, offset, part)).status).toBe(204);
      }
      await readSound(await makeSound(one.api, artist, address.slice(UPLOADS_PATH.length), type));
    }
    state.isDone = true;
    await sweeping;
    expect(state.sweeps).toBeGreaterThan(3);
    await expectWhole(made);
    await expectNothingLeft();
  });

  test('an upload that expires while a sound is made of it becomes a sound', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = await start((storage) => ({
      async put(key, body) {
        reached.resolve();
        await gate.promise;
        return storage.put(key, body);
      },
    }));
    onTestFinished(() => slow.database.close());
    const upload = await sendUpload(one.api, artist, content);
    const making = makeSound(slow.api, artist, upload, type);
    await reached.promise;
    two.api.clock.advance(RESUMABLE_AGE_MS_MAX + 1);
    await two.sweep();
    gate.resolve();
    await readSound(await making);
    await expectWhole([content]);
  });

  test('an upload that ends in one process while another receives a part leaves nothing', async () => {
    const address = await createUpload(one.api, artist, content.byteLength);
    const end = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(content.subarray(0, 1_000));
        await end.promise;
        controller.close();
      },
    });
    const sending = sendPiece(one.api, artist, address, 0, body);
    await expect.poll(async () => (await pieces()).length).toBe(1);
    expect((await tus(two.api, 'DELETE', address, { userId: artist })).status).toBe(204);
    end.resolve();
    expect((await sending).status).toBe(404);
    await expectNothingLeft();
  });
});

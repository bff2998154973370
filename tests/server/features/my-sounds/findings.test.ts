import { readdir } from 'node:fs/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import {
  ATTEMPTS_MAX,
  DECODER_VERSION,
  LEASE_MS,
  RETRY_MS,
  decodeUpload,
  decodeWaiting,
} from '#server/features/my-sounds/decoding.ts';
import type { DecodingDeps } from '#server/features/my-sounds/decoding.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import type { Decode, DecodedSound, Decoder } from '#server/media/audio/decoder.ts';
import { FLAT_PEAKS } from '#contract/sounds/peaks.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { deleteRows, listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { encodeMp3, join, shape, silence, tone } from '#support/files/signals.ts';
import { makeGarbage, overwrite } from '#support/files/damage.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import {
  useUploadApi,
  patchSound,
  readSound,
  eraseDeleted,
  removeSound,
  sendSound,
} from '#support/sounds/uploads.ts';

/** Silent at first, clipped in one place, and cut off, in both channels. */
const faulty = shape(join(silence(0.8), tone(2, 0)), (second) => (second > 2 && second < 2.1 ? 1.3 : 0.5));
const faultyMp3 = await encodeMp3([faulty, faulty]);
const m4a = makeM4a(10_000);
const KEY = 'a'.repeat(64);

describe.each(ruleDatabases)('findings on $name', ({ open }) => {
  const { database, api, storage, forms, useMember } = useUploadApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });
  const fan = useMember({ username: 'fan', is_verified: true });
  let type: string;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
  });

  const getSound = (id: string, userId?: string) => api.json(`/api/sounds/${id}/`, userId);
  async function addMeasured(): Promise<string> {
    const { id } = await readSound(await sendSound(api, artist, { content: faultyMp3, type }));
    await expect.poll(async () => (await getSound(id, artist)).findings, { timeout: 20_000 }).toBeDefined();
    return id;
  }

  test('the artist of an upload receives the measurements together with the waveform', async () => {
    const { id, ...fresh } = await readSound(await sendSound(api, artist, { content: faultyMp3, type }));
    expect(fresh).not.toHaveProperty('findings');
    await expect.poll(async () => (await getSound(id, artist)).findings, { timeout: 20_000 }).toBeDefined();
    const { findings, peaks } = await getSound(id, artist);
    expect(findings).toEqual({
      silent_head_ms: expect.closeTo(815, -2) as number,
      is_silent: false,
      clips_ms: [expect.closeTo(2_020, -2)],
      clip_count: 1,
      is_tail_cut: true,
      loudness_lufs: expect.closeTo(-5.5, 0) as number,
      true_peak_dbtp: expect.closeTo(2, 0) as number,
    });
    expect(peaks).not.toBe(FLAT_PEAKS);
    expect(await listRows(database, 'undecoded_sounds')).toEqual([]);
  });

  test.each<[kind: string, content: Uint8Array, gapMs: number]>([
    // 192 kbit/s are 24 bytes per millisecond.
    ['MP3', overwrite(faultyMp3, 30_000, makeGarbage(20_000)), 30_000 / 24],
    // Frames of 6 bytes with 1,024 samples each, after the index.
    ['M4A', overwrite(m4a, m4a.byteLength - 6_000 * 6, makeGarbage(2_000 * 6)), (4_000 * 1_024) / 44.1],
  ])('the artist of a damaged %s is told where', async (_, content, gapMs) => {
    const { id } = await readSound(await sendSound(api, artist, { content, type }));
    await expect.poll(async () => (await getSound(id, artist)).findings, { timeout: 20_000 }).toBeDefined();
    const { findings } = await getSound(id, artist);
    expect(findings?.gaps_ms).toHaveLength(1);
    expect(Math.abs(findings?.gaps_ms[0] - gapMs)).toBeLessThan(100);
    expect((await getSound(await addMeasured(), artist)).findings).not.toHaveProperty('gaps_ms');
  });

  test('A10: no other caller receives them from any route', async () => {
    const id = await addMeasured();
    const changed = await readSound(await patchSound(api, artist, id, { is_published: 'true' }));
    expect(changed).toHaveProperty('findings');
    await api.post(`/api/sounds/${id}/toggle-favorite`, undefined, fan);
    const paths = [
      `/api/sounds/?user=artist&include_private=true`,
      '/api/sounds/',
      `/api/sounds/?ids=${id}`,
      '/api/sounds/?search=音',
      '/api/sounds/?favorite=true',
    ];
    for (const reader of [undefined, fan]) {
      expect(await getSound(id, reader)).not.toHaveProperty('findings');
      for (const path of paths) {
        const { results } = await api.json(path, reader);
        const isHidden = path.includes('favorite') && reader === undefined;
        expect([path, results.length]).toEqual([path, isHidden ? 0 : 1]);
        for (const sound of results) {
          expect(sound).not.toHaveProperty('findings');
          // The player needs it.
          expect(sound.loudness_lufs).toBeCloseTo(-5.5, 0);
          expect(sound.true_peak_dbtp).toBeCloseTo(2, 0);
        }
      }
    }
    for (const path of paths.slice(0, -1)) {
      expect((await api.json(path, artist)).results[0]).toHaveProperty('findings');
    }
  });

  test('they are deleted with the sound', async () => {
    const id = await addMeasured();
    await removeSound(api, artist, id);
    await eraseDeleted(api, storage);
    expect(await listRows(database, 'sound_findings')).toEqual([]);
  });

  describe('a sound that is hard to decode', () => {
    let deps: DecodingDeps;
    let seq: number;

    beforeEach(async () => {
      ({ deps } = api);
      await storage.put(`sounds/${KEY}`, faultyMp3);
      const row = { ...toFile('hard'), peaks: FLAT_PEAKS, artist_id: artist, type_id: Number(type) };
      const sound = { ...row, title: '難', audio_key: KEY, is_fresh: true };
      ({ seq } = await createSound(database, sound));
    });

    const notes = () => listRows(database, 'undecoded_sounds', {}, ['sound_seq', 'attempts', 'state']);
    const noted = (attempts: number, state = 'waiting') => [{ sound_seq: seq, attempts, state }];
    const decodingBy = (decode: Decode): Pick<Decoder, 'inTurn'> => ({ inTurn: (work) => work(decode) });
    function answering(state: 'unreadable' | 'interrupted' | 'stopped') {
      let asked = 0;
      const decoder = decodingBy(() => {
        asked += 1;
        return Promise.resolve({ state });
      });
      return { ...decoder, count: () => asked };
    }

    test('is retried when it crashes its decoder, and marked as failed after several attempts', async () => {
      const decoder = answering('interrupted');
      for (let time = 1; time < ATTEMPTS_MAX; time += 1) {
        await decodeWaiting(deps, { decoder });
        expect(await notes()).toEqual(noted(time));
        await decodeWaiting(deps, { decoder });
        expect(decoder.count()).toBe(time);
        api.clock.advance(RETRY_MS);
      }
      await decodeWaiting(deps, { decoder });
      expect(await notes()).toEqual(noted(ATTEMPTS_MAX, 'failed'));
      await decodeWaiting(deps, { decoder });
      expect(decoder.count()).toBe(ATTEMPTS_MAX);
    });

    /** Leaves the state of a process that was killed while it decoded the sound. */
    async function leaveKilled(): Promise<void> {
      const decoding = Promise.withResolvers<void>();
      const decoder = decodingBy(() => (decoding.resolve(), new Promise(() => undefined)));
      void decodeUpload(deps, seq, { decoder });
      await decoding.promise;
    }

    test('is measured after any number of processes were killed while decoding it', async () => {
      for (let time = 0; time <= ATTEMPTS_MAX; time += 1) {
        await leaveKilled();
        api.clock.advance(LEASE_MS);
        expect(await notes()).toEqual(noted(0));
      }
      await decodeWaiting(deps);
      expect(await notes()).toEqual([]);
      expect(await listRows(database, 'sound_findings', {}, ['sound_seq'])).toHaveLength(1);
    });

    test('is decoded by one process at a time, and by another once the lease has expired', async () => {
      await leaveKilled();
      api.clock.advance(LEASE_MS - 1);
      const decoder = answering('interrupted');
      await decodeWaiting(deps, { decoder });
      expect([decoder.count(), await notes()]).toEqual([0, noted(0)]);
      api.clock.advance(1);
      await decodeWaiting(deps, { decoder });
      expect([decoder.count(), await notes()]).toEqual([1, noted(1)]);
    });

    test('is retried by a later version of the decoder, with new attempts', async () => {
      const failed = { state: 'failed', attempts: ATTEMPTS_MAX } as const;
      await updateRows(database, 'undecoded_sounds', { ...failed, failed_version: DECODER_VERSION - 1 });
      const decoder = answering('interrupted');
      await decodeWaiting(deps, { decoder });
      expect([decoder.count(), await notes()]).toEqual([1, noted(1)]);
    });

    test('is not counted as an attempt when the decoder could not be started', async () => {
      const decoder = answering('stopped');
      await decodeUpload(deps, seq, { decoder });
      expect(await notes()).toEqual(noted(0));
      await decodeWaiting(deps, { decoder });
      expect(decoder.count()).toBe(1);
      api.clock.advance(LEASE_MS);
      await expect(decodeWaiting(deps, { decoder })).rejects.toThrow('could not be started');
      expect([decoder.count(), await notes()]).toEqual([2, noted(0)]);
    });

    test('is marked as failed at once when it is not audio', async () => {
      await decodeUpload(deps, seq, { decoder: answering('unreadable') });
      expect(await notes()).toEqual(noted(0, 'failed'));
      expect(await listRows(database, 'sound_findings')).toEqual([]);
    });

    test('is not counted as an attempt when the storage failed', async () => {
      const broken = { ...storage, open: () => Promise.reject(new Error('away')) };
      for (let time = 0; time <= ATTEMPTS_MAX; time += 1) {
        const decoding = decodeWaiting({ ...deps, storage: broken }, { decoder: answering('interrupted') });
        await expect(decoding).rejects.toThrow('away');
        api.clock.advance(LEASE_MS);
      }
      expect(await notes()).toEqual(noted(0));
      await decodeWaiting(deps);
      expect(await notes()).toEqual([]);
      const rows = await listRows(database, 'sound_findings', {}, ['clip_count']);
      expect(rows).toEqual([{ clip_count: 1 }]);
    });

    test('whose file is missing is logged once and skipped', async () => {
      const told: Record<string, unknown>[] = [];
      const write = (line: string) => void told.push(JSON.parse(line) as Record<string, unknown>);
      const watched = { ...deps, logger: pino({ level: 'info' }, { write }) };
      await storage.delete(`sounds/${KEY}`);
      for (const _ of [1, 2]) await decodeWaiting(watched, { decoder: answering('interrupted') });
      await decodeUpload(watched, seq);
      expect(told).toMatchObject([{ level: 50, audioKey: KEY, msg: 'sound file is missing' }]);
      expect([await notes(), await readdir(forms.folder)]).toEqual([noted(0, 'failed'), []]);
    });

    test('is not fetched when it is no longer needed', async () => {
      await deleteRows(database, 'undecoded_sounds');
      const watched = { ...storage, open: () => Promise.reject(new Error('asked for')) };
      const decoder = answering('interrupted');
      await decodeUpload({ ...deps, storage: watched }, seq, { decoder });
      const told: string[] = [];
      const logger = pino({ level: 'info' }, { write: (line: string) => void told.push(line) });
      await decodeUpload({ ...deps, storage: watched, logger }, seq, { decoder });
      expect([told, decoder.count()]).toEqual([[], 0]);
    });

    test('U14: is unchanged after a process that shut down in order, any number of times', async () => {
      for (let time = 0; time <= ATTEMPTS_MAX; time += 1) {
        const backgroundJobs = createBackgroundJobs();
        const decoding = Promise.withResolvers<void>();
        const decoder = decodingBy(
          (_file, _durationMs, stop) =>
            new Promise((resolve) => {
              decoding.resolve();
              stop?.addEventListener('abort', () => resolve({ state: 'stopped' }));
            }),
        );
        backgroundJobs.start(async (ending) => void (await decodeWaiting(deps, { decoder, ending })));
        await decoding.promise;
        expect(await notes()).toEqual(noted(0));
        expect(await readdir(forms.folder)).toHaveLength(1);
        await backgroundJobs.close();
        expect(await notes()).toEqual(noted(0));
        expect(await readdir(forms.folder)).toEqual([]);
      }
      await decodeWaiting(deps);
      expect(await notes()).toEqual([]);
    });

    test('is left for the next process by one that is shutting down', async () => {
      const backgroundJobs = createBackgroundJobs();
      const decoder = answering('interrupted');
      const fetching = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const slow = {
        ...storage,
        open: async (key: string) => (fetching.resolve(), await released.promise, storage.open(key)),
      };
      backgroundJobs.start((ending) => decodeUpload({ ...deps, storage: slow }, seq, { decoder, ending }));
      await fetching.promise;
      const closed = backgroundJobs.close();
      released.resolve();
      await closed;
      backgroundJobs.start((ending) => decodeUpload(deps, seq, { decoder, ending }));
      await backgroundJobs.close();
      expect([await notes(), decoder.count()]).toEqual([noted(0), 0]);
      expect(await readdir(forms.folder)).toEqual([]);
    });

    test('leaves nothing when it is deleted meanwhile', async () => {
      const findings = { silent_head_ms: 0, clips_ms: [], clip_count: 0, is_tail_cut: false };
      const decoder = decodingBy(async (): Promise<DecodedSound> => {
        await deleteRows(database, 'sounds', { seq });
        const peaks = FLAT_PEAKS;
        return { state: 'decoded', peaks, findings: { ...findings, loudness_lufs: null }, features: null };
      });
      await decodeUpload(deps, seq, { decoder });
      expect(await listRows(database, 'sound_findings')).toEqual([]);
    });
  });
});

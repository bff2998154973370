import { beforeEach, describe, expect, test } from 'vitest';
import { createSound, indexSound } from '#server/features/catalogue/service.ts';
import { putFeatures, setCorrections } from '#server/features/catalogue/features-queries.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { countUndecoded } from '#server/features/my-sounds/decoding-queries.ts';
import { LEASE_MS, decodeWaiting } from '#server/features/my-sounds/decoding.ts';
import type { SoundFeatures } from '#server/media/analysis/sound-features.ts';
import {
  bothDatabases,
  deleteRows,
  getRow,
  insertMany,
  listRows,
  updateRows,
} from '#support/databases/databases.ts';
import { playChords } from '#support/files/music.ts';
import { encodeMp3 } from '#support/files/signals.ts';
import { useUploadApi, patchSound, readSound, sendSound } from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const mp3 = await encodeMp3([playChords({ bpm: 120, tonic: 48, isMinor: false, seconds: 12 })]);
const measured = {
  bpm: { value: 120, confidence: 0.9 },
  key: { value: 'C', confidence: 0.8 },
  numbers: [1],
} as const;

describe.each(bothDatabases)('decoding on $name', ({ open }) => {
  const { database, api, storage, useMember } = useUploadApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });
  let type: number;

  beforeEach(async () => {
    type = await createSoundType(database, { name: 'BGM' });
  });

  async function decodeAll(ending?: AbortSignal): Promise<number> {
    return decodeWaiting(api.deps, { ...(ending && { ending }), pauseShare: 0 });
  }
  const features = (seq: number) =>
    everyTable(database.db)
      .selectFrom('sound_features')
      .selectAll()
      .where('sound_seq', '=', seq)
      .executeTakeFirst();
  async function addOld(title: string, content?: Uint8Array, is_fresh = false): Promise<number> {
    const key = title.padEnd(64, '0');
    if (content !== undefined) await storage.put(`sounds/${key}`, content);
    const file = { audio_key: key, audio_mime: 'audio/mpeg', audio_size: content?.byteLength ?? 1 };
    const { seq } = await createSound(database, {
      artist_id: artist,
      type_id: type,
      title,
      filename: 'a.mp3',
      is_fresh,
      ...file,
    });
    return seq;
  }
  async function put(seq: number, change: Partial<SoundFeatures>): Promise<void> {
    await putFeatures(database.db, seq, { ...measured, numbers: [...measured.numbers], ...change });
  }

  test('an upload is measured together with its waveform', async () => {
    const { id } = await readSound(await sendSound(api, artist, { content: mp3, type: String(type) }));
    await expect
      .poll(async () => (await listRows(database, 'sound_features')).length, { timeout: 20_000 })
      .toBe(1);
    const row = await everyTable(database.db)
      .selectFrom('sound_features')
      .innerJoin('sounds', 'sounds.seq', 'sound_features.sound_seq')
      .selectAll('sound_features')
      .where('sounds.id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ effective_key: 'C', version: 2, bpm: null });
    expect(Math.abs((row.effective_bpm ?? 0) - 120)).toBeLessThan(1);
    expect(await countUndecoded(database.db)).toEqual({ waiting: 0, failed: 0 });
  });

  test('sounds that were stored before are measured in the background; unreadable ones are given up', async () => {
    const seqs = [
      await addOld('a', mp3),
      await addOld('b', Buffer.from('broken')),
      await addOld('c'),
      await addOld('d', mp3),
    ];
    expect(await countUndecoded(database.db)).toEqual({ waiting: 4, failed: 0 });
    expect(await decodeAll()).toBe(4);
    expect(await Promise.all(seqs.map(async (seq) => (await features(seq))?.effective_key))).toEqual([
      'C',
      undefined,
      undefined,
      'C',
    ]);
    expect(await countUndecoded(database.db)).toEqual({ waiting: 0, failed: 2 });
    expect(await decodeAll()).toBe(0);
  });

  test('uploads come first, then the newest sounds, and none is decoded twice', async () => {
    for (const [index, title] of ['a', 'b', 'c', 'd'].entries()) await addOld(title, mp3, index === 1);
    const asked: string[] = [];
    const open = storage.open.bind(storage);
    storage.open = (key, ...given) => (asked.push(key.charAt('sounds/'.length)), open(key, ...given));
    const [one, other] = await Promise.all([decodeAll(), decodeAll()]);
    expect([one + other, asked]).toEqual([4, ['b', 'd', 'c', 'a']]);
  });

  test('a file that the storage refuses does not hold up the others', async () => {
    const [first, refused, last] = [await addOld('a', mp3), await addOld('b', mp3), await addOld('c', mp3)];
    const open = storage.open.bind(storage);
    storage.open = async (key, ...given) => {
      if (key.startsWith('sounds/b')) throw new Error('EIO: i/o error');
      return open(key, ...given);
    };
    await expect(decodeAll()).rejects.toThrow('EIO');
    expect(
      await Promise.all([first, refused, last].map(async (seq) => (await features(seq)) && seq)),
    ).toEqual([first, undefined, last]);
    expect(await countUndecoded(database.db)).toEqual({ waiting: 1, failed: 0 });
    storage.open = open;
    expect(await decodeAll()).toBe(0);
    api.clock.advance(LEASE_MS);
    expect(await decodeAll()).toBe(1);
  });

  test('a storage that fails is not asked for every sound', async () => {
    for (const title of 'abcde') await addOld(title, mp3);
    const asked: string[] = [];
    storage.open = async (key) => {
      asked.push(key);
      throw new Error('out of order');
    };
    await expect(decodeAll()).rejects.toThrow('out of order');
    expect(asked).toHaveLength(3);
    expect(await countUndecoded(database.db)).toEqual({ waiting: 5, failed: 0 });
  });

  test('sounds that were measured without their true peak are measured again', async () => {
    const seqs = [await addOld('a', mp3), await addOld('b', mp3)];
    const { db } = database;
    await deleteRows({ db }, 'undecoded_sounds');
    const early = {
      silent_head_ms: 0,
      clips_ms: '[]',
      clip_count: 0,
      is_tail_cut: 0,
      loudness_lufs: -70,
    } as const;
    await insertMany(
      { db },
      'sound_findings',
      seqs.map((sound_seq) => ({ sound_seq, ...early })),
    );
    const read = async () =>
      (await api.json('/api/sounds/')).results.map((sound: Record<string, unknown>) => [
        sound['loudness_lufs'],
        sound['true_peak_dbtp'],
      ]);
    await setCorrections(db, seqs[0] ?? 0, { bpm: 90 });
    expect(await read()).toEqual([
      [-70, undefined],
      [-70, undefined],
    ]);
    await insertMany(
      { db },
      'undecoded_sounds',
      seqs.map((sound_seq) => ({ sound_seq })),
    );
    expect(await decodeAll()).toBe(2);
    const [[lufs, dbtp], other] = await read();
    expect(other).toEqual([lufs, dbtp]);
    expect(lufs).toBeGreaterThan(-30);
    expect(dbtp).toBeGreaterThan(lufs);
    expect(dbtp).toBeLessThan(3);
    expect((await features(seqs[0] ?? 0))?.effective_bpm).toBe(90);
  });

  test('a process that ends measures nothing more', async () => {
    await addOld('a', mp3);
    expect(await decodeAll(AbortSignal.abort())).toBe(0);
    expect(await countUndecoded(database.db)).toEqual({ waiting: 1, failed: 0 });
  });

  test('an estimate counts when it is certain, and never against what the artist says', async () => {
    const seq = await addOld('a');
    const effective = async () => {
      const { effective_bpm, effective_key } = (await features(seq)) ?? {};
      return [effective_bpm, effective_key];
    };
    await setCorrections(database.db, seq, { bpm: 90 });
    expect(await effective()).toEqual([90, null]);
    await put(seq, {});
    expect(await effective()).toEqual([90, 'C']);
    await setCorrections(database.db, seq, { bpm: null, key: 'Am' });
    expect(await effective()).toEqual([120, 'Am']);
    await setCorrections(database.db, seq, { key: null });
    await put(seq, { bpm: { value: 60, confidence: 0.1 }, key: { value: 'D', confidence: 0.2 } });
    expect(await effective()).toEqual([null, null]);
  });

  test('labels and title decide between half and double; an effect has a tempo only if its artist says so', async () => {
    const seq = await addOld('a');
    const { db } = database;
    const effective = async (title: string, moods = '', icon = 'music') => {
      await updateRows({ db }, 'sounds', { title, moods }, { seq });
      await updateRows({ db }, 'sound_types', { icon }, { id: type });
      await db.transaction().execute((transaction: Handle) => indexSound(database, transaction, seq));
      return (await features(seq))?.effective_bpm;
    };
    await put(seq, { bpm: { value: 156, confidence: 0.9 } });
    expect(await effective('駅')).toBe(156);
    expect(await effective('駅のバラード')).toBe(78);
    expect(await effective('駅', 'sad calm')).toBe(78);
    expect(await effective('駅', 'calm bright')).toBe(156);
    expect(await effective('スローな戦闘', 'calm')).toBe(156);
    await put(seq, { bpm: { value: 82, confidence: 0.9 } });
    expect(await effective('ﾊﾞﾄﾙ')).toBe(164);
    expect(await effective('breakfast', 'calm')).toBe(82);
    expect(await effective('猫', '', 'effect')).toBeNull();
    expect((await api.json('/api/sounds/?tempo=0-90')).results).toEqual([]);
    await setCorrections(db, seq, { bpm: 90 });
    expect(await effective('猫', '', 'effect')).toBe(90);
    await setCorrections(db, seq, { bpm: null });
    expect(await effective('バトル', '', '')).toBe(164);
    expect((await api.json('/api/sounds/?tempo=150-')).results).toHaveLength(1);
  });

  test('the artist corrects them, and empty values bring the estimates back', async () => {
    const seq = await addOld('a');
    await put(seq, {});
    const { id } = await getRow(database, 'sounds');
    const read = async () => {
      const { bpm, is_bpm_estimated, key, is_key_estimated } = await api.json(`/api/sounds/${id}/`);
      return [bpm, is_bpm_estimated, key, is_key_estimated];
    };
    const patch = async (texts: Record<string, string>) => (await patchSound(api, artist, id, texts)).status;
    expect(await read()).toEqual([120, true, 'C', true]);
    expect(await patch({ bpm: '92.5', key: 'F#m' })).toBe(200);
    expect(await read()).toEqual([92.5, false, 'F#m', false]);
    const findBy = async (filter: string) =>
      (await api.json(`/api/sounds/?${filter}`)).results.map((sound: { id: string }) => sound.id);
    expect([await findBy('tempo=90-120'), await findBy('tempo=120-150')]).toEqual([[id], []]);
    expect([await findBy('key=fs-minor'), await findBy('key=major')]).toEqual([[id], []]);
    await put(seq, {});
    expect(await patch({ title: '別の題' })).toBe(200);
    expect(await read()).toEqual([92.5, false, 'F#m', false]);
    for (const wrong of [{ bpm: '19' }, { bpm: '301' }, { bpm: 'fast' }, { bpm: '-60' }, { key: 'H' }]) {
      expect(await patch(wrong)).toBe(400);
    }
    expect(await patch({ bpm: '', key: '' })).toBe(200);
    expect(await read()).toEqual([120, true, 'C', true]);
    await put(seq, { bpm: null, key: null });
    expect(await read()).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('they are deleted with the sound', async () => {
    const seq = await addOld('a');
    await put(seq, {});
    await deleteRows(database, 'sounds', { seq });
    expect(await features(seq)).toBeUndefined();
  });
});

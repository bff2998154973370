import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Certificate, toLicenceText } from '#contract/downloads/certificates.ts';
import { createCertificateSigner } from '#server/features/certificates/signer.ts';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { savePage } from '#server/features/site/service.ts';
import { invalidateCache } from '#server/platform/database/statements/cached.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import {
  bothDatabases,
  deleteRows,
  getRow,
  insertMany,
  listRows,
  updateRows,
} from '#support/databases/databases.ts';
import { type TestVisitor, addArtist, addSoundOf, createVisitor } from '#support/sounds/downloads.ts';
import { as } from '#support/members/profiles.ts';
import { createUser } from '#server/features/accounts/users.ts';
import {
  addUploader,
  createUploadApi,
  patchSound,
  readSound,
  removeSound,
  sendSound,
} from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MINUTE_MS = 60_000;
const SECRET = new Uint8Array(32).fill(5);
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Signed {
  readonly certificate: Certificate;
  readonly signature: { readonly algorithm: string; readonly key_id: string; readonly value: string };
  readonly is_sound_public: boolean;
}

/** Downloads a sound in a browser, and returns the certificate's id. */
async function download(api: TestApi, visitor: TestVisitor, soundId: string): Promise<string | undefined> {
  const { id } = await visitor.begin(soundId);
  api.clock.advance(5_000);
  const response = await visitor.ask(soundId, { log: true, provider: 'gpt', intent: id });
  expect(response.status).toBe(200);
  return ((await response.json()) as { certificate?: string }).certificate;
}

async function certify(api: TestApi, visitor: TestVisitor, soundId: string): Promise<string> {
  const id = await download(api, visitor, soundId);
  if (id === undefined) throw new Error('the download has no certificate');
  return id;
}

const read = (api: TestApi, id: string): Promise<Signed> => api.json(`/api/certificates/${id}/`);

/** As docs/certificates.md has it, with nothing but what the site publishes. */
async function isGenuine(
  api: TestApi,
  { certificate, signature }: Pick<Signed, 'certificate' | 'signature'>,
) {
  const keys = (await api.json('/api/certificate-keys/')) as { id: string; public_key: string }[];
  const key = keys.find(({ id }) => id === signature.key_id);
  if (key === undefined) return false;
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.public_key },
    format: 'jwk',
  });
  const bytes = Buffer.from(JSON.stringify(certificate));
  return verify(null, bytes, publicKey, Buffer.from(signature.value, 'base64url'));
}

describe.each(bothDatabases)('certificates on $name', ({ open, rule }) => {
  const { database, api } = useApiOnce(open, () => ({ certificateSecret: SECRET }));

  const removeTerms = async () => {
    await deleteRows(database, 'extra_pages', { slug: 'member-terms' });
    invalidateCache(database);
  };

  rule('name what was downloaded, when, and under which terms', async () => {
    const { artistId } = await addArtist(database);
    const soundId = await addSoundOf(database, artistId, { title: '夜の\u202e"雨"\u2028\u3164' });
    const id = await certify(api, createVisitor(api), soundId);
    expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    const { certificate, is_sound_public } = await read(api, id);
    const { username, audio_key, audio_size } = await everyTable(database.db)
      .selectFrom('sounds')
      .innerJoin('users', 'users.id', 'sounds.artist_id')
      .select(['username', 'audio_key', 'audio_size'])
      .where('sounds.id', '=', soundId)
      .executeTakeFirstOrThrow();
    // Nothing else: a certificate says nothing of its owner.
    expect(certificate).toEqual({
      added_uses: [],
      artist: username,
      content_id: 'unstated',
      file_bytes: audio_size,
      file_sha256: audio_key,
      id,
      issued_at: `${new Date(api.clock.now() + 9 * 60 * MINUTE_MS).toISOString().slice(0, 19)}+09:00`,
      issuer: 'https://site.example',
      licence_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      licence_title: '会員規約',
      licence_line: DEFAULT_LICENCE.line,
      licence_uses: DEFAULT_LICENCE.uses,
      site_name: 'Otoichi',
      sound_id: soundId,
      sound_title: '夜の"雨"',
      version: 3,
    });
    expect(is_sound_public).toBe(true);
  });

  rule.each(['\u3164', '\u200b\u2800', '\u00ad'])(
    'W20: sign no title if nothing of the stored one is visible: %j',
    async (title) => {
      const { artistId } = await addArtist(database);
      const id = await certify(api, createVisitor(api), await addSoundOf(database, artistId, { title }));
      expect((await read(api, id)).certificate.sound_title).toBe('');
    },
  );

  rule('have the day in Japan, also on a leap day', async () => {
    const { soundId } = await addArtist(database);
    const late = createTestApi(database, { certificateSecret: SECRET });
    late.clock.advance(Date.UTC(2028, 1, 28, 15, 30) - late.clock.now());
    const days: string[] = [];
    for (let day = 0; day < 2; day += 1) {
      days.push((await read(late, await certify(late, createVisitor(late), soundId))).certificate.issued_at);
      late.clock.advance(DAY_MS - 5_000);
    }
    expect(days).toEqual(['2028-02-29T00:30:05+09:00', '2028-03-01T00:30:05+09:00']);
  });

  rule('have the hash of the file that is served, without the tags of the upload', async () => {
    const { api: uploading, storage } = await createUploadApi(database);
    const artist = await addUploader(database, 'tagger');
    const type = await everyTable(database.db)
      .selectFrom('sound_types')
      .select('id')
      .executeTakeFirstOrThrow();
    const content = readFileSync('tests/fixtures/audio/lame-vbr-utf16.mp3');
    const sound = await readSound(
      await sendSound(uploading, artist, { content, type: String(type.id), name: 'a.mp3' }),
    );
    await patchSound(uploading, artist, sound.id, { is_published: 'true', title: '録音' });
    const { certificate } = await read(api, await certify(uploading, createVisitor(uploading), sound.id));
    const { audio_key } = await getRow(database, 'sounds', { id: sound.id });
    const served = storage.objects.get(`sounds/${audio_key}`) ?? Buffer.alloc(0);
    expect(certificate.file_bytes).toBe(served.byteLength);
    expect(certificate.file_sha256).toBe(createHash('sha256').update(served).digest('hex'));
    expect(served.byteLength).toBeLessThan(content.byteLength);
  });

  rule('are the same for a repeated call, and for the same browser within a day', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id: intent } = await visitor.begin(soundId);
    api.clock.advance(5_000);
    const ask = async () => (await visitor.ask(soundId, { log: true, provider: 'gpt', intent })).json();
    const first = (await ask()) as { certificate: string };
    expect(await ask()).toMatchObject({ certificate: first.certificate });
    expect(await certify(api, visitor, soundId)).toBe(first.certificate);
    expect(await certify(api, createVisitor(api), soundId)).not.toBe(first.certificate);
    api.clock.advance(DAY_MS);
    expect(await certify(api, visitor, soundId)).not.toBe(first.certificate);
  });

  rule('are new once they would say something else, or somebody has logged in', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const ids = [await certify(api, visitor, soundId)];
    await updateRows(database, 'sounds', { title: '別の題' }, { id: soundId });
    ids.push(await certify(api, visitor, soundId));
    await savePage(database, { slug: 'member-terms', title: '利用条件', order: 1, body: '新しい条件' });
    ids.push(await certify(api, visitor, soundId));
    expect(new Set(ids).size).toBe(3);
    expect((await read(api, ids[0] ?? '')).certificate.sound_title).toBe('音');
    await removeTerms();
    ids.push(await certify(api, visitor, soundId));
    const memberId = await createUser(database, { username: 'reader', email: 'reader@example.test' });
    const member = createVisitor(api, { memberId });
    for (const [name, value] of visitor.cookies) member.cookies.set(name, value);
    expect(ids).not.toContain(await certify(api, member, soundId));
  });

  rule('are given for downloads that are recorded, of public sounds', async () => {
    const { artistId, soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    await visitor.begin(soundId);
    for (const query of [{ log: true }, { log: true, intent: 'unknown' }]) {
      const response = await visitor.ask(soundId, query);
      expect(Object.keys((await response.json()) as object)).toEqual(['url']);
    }
    const { id: intent } = await visitor.begin(soundId);
    expect((await visitor.ask(soundId, { log: true, provider: 'gpt', intent })).status).toBe(409);
    const ownSound = await addSoundOf(database, artistId, { is_published: false });
    const artist = createVisitor(api, { memberId: artistId });
    expect(await download(api, artist, ownSound)).toBeUndefined();
    const count = await everyTable(database.db)
      .selectFrom('certificates')
      .select('id')
      .where('body', 'like', `%${soundId}%`)
      .execute();
    expect(count).toEqual([]);
  });

  rule('A3 are found by their id only', async () => {
    for (const id of ['A'.repeat(22), 'a', '%00', 'A'.repeat(23), 'あ'.repeat(22)]) {
      expect((await api.get(`/api/certificates/${id}/`)).status, id).toBe(404);
    }
    for (const hash of ['a'.repeat(64), 'A'.repeat(64), '%00', 'x'])
      expect((await api.get(`/api/licences/${hash}/`)).status, hash).toBe(404);
  });

  describe('the signature', () => {
    rule('A11 fits the certificate, and no other one or changed one', async () => {
      const { artistId, soundId } = await addArtist(database);
      const signed = await read(api, await certify(api, createVisitor(api), soundId));
      const other = await read(
        api,
        await certify(api, createVisitor(api), await addSoundOf(database, artistId)),
      );
      expect(await isGenuine(api, signed)).toBe(true);
      const changes: Partial<Certificate>[] = [
        { sound_title: '盗んだ曲' },
        { file_sha256: signed.certificate.file_sha256.replace(/^./, (first) => (first === '0' ? '1' : '0')) },
        { issued_at: '2020-01-01T00:00:00+09:00' },
        { artist: '別の人' },
        { issuer: 'https://other.example' },
        { site_name: 'Other' },
        { sound_id: other.certificate.sound_id },
        { licence_sha256: 'a'.repeat(64) },
        { licence_title: '別の規約' },
        { file_bytes: signed.certificate.file_bytes + 1 },
        { id: other.certificate.id },
        { content_id: 'none' },
        { content_id: undefined },
        { licence_uses: ['commercial'] },
        { licence_uses: undefined },
        { licence_line: '好きに使えます。' },
        { added_uses: ['broadcast'] },
        { version: 1 },
      ];
      for (const change of changes) {
        const forged = { ...signed, certificate: { ...signed.certificate, ...change } };
        expect(await isGenuine(api, forged), JSON.stringify(change)).toBe(false);
      }
      expect(await isGenuine(api, { ...signed, signature: other.signature })).toBe(false);
      const unknown = { ...signed.signature, key_id: '0'.repeat(16) };
      expect(await isGenuine(api, { ...signed, signature: unknown })).toBe(false);
    });

    rule('A11 of an earlier key stays valid, and the new key does not replace it', async () => {
      const { soundId } = await addArtist(database);
      const before = await read(api, await certify(api, createVisitor(api), soundId));
      const rotated = createTestApi(database, { certificateSecret: new Uint8Array(32).fill(6) });
      rotated.clock.advance(DAY_MS);
      const after = await read(rotated, await certify(rotated, createVisitor(rotated), soundId));
      expect(after.signature.key_id).not.toBe(before.signature.key_id);
      for (const each of [before, after]) expect(await isGenuine(rotated, each)).toBe(true);
      expect(await read(rotated, before.certificate.id)).toEqual(before);
      const swapped = { ...before, signature: { ...before.signature, key_id: after.signature.key_id } };
      expect(await isGenuine(rotated, swapped)).toBe(false);
    });

    rule('is made with a key that is in no reply, table or line of the log', async () => {
      const secret = new Uint8Array(32).fill(77);
      const other = createTestApi(database, { certificateSecret: secret });
      const { soundId } = await addArtist(database);
      const signed = await read(other, await certify(other, createVisitor(other), soundId));
      const keys = await listRows(database, 'certificate_keys');
      const written = JSON.stringify([signed, keys, other.logged]);
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(written).not.toContain(Buffer.from(secret).toString(encoding).slice(0, 40));
    });
  });

  describe('they stay the same', () => {
    rule('when the sound is hidden or deleted, and when its artist has another name', async () => {
      const { artistId, soundId } = await addArtist(database);
      const id = await certify(api, createVisitor(api), soundId);
      const before = await read(api, id);
      await updateRows(database, 'users', { username: '改名' }, { id: artistId });
      await updateRows(database, 'sounds', { is_published: 0 }, { id: soundId });
      expect(await read(api, id)).toEqual({ ...before, is_sound_public: false });
      expect((await removeSound(api, artistId, soundId)).status).toBe(200);
      const after = await read(api, id);
      expect(after).toEqual({ ...before, is_sound_public: false });
      expect(await isGenuine(api, after)).toBe(true);
    });

    rule('when the artist answers differently: later certificates have the new answers', async () => {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const answer = async (texts: Parameters<typeof patchSound>[3]) =>
        expect((await patchSound(api, artistId, soundId, texts)).status).toBe(200);
      const ids: string[] = [];
      const certifyNow = async () => {
        ids.push(await certify(api, visitor, soundId));
        const { certificate } = await read(api, ids.at(-1) ?? '');
        const { content_id, licence_uses, added_uses = [] } = certificate;
        expect(licence_uses).toEqual([...DEFAULT_LICENCE.uses, ...added_uses]);
        return [content_id, added_uses];
      };
      expect(await certifyNow()).toEqual(['unstated', []]);
      await answer({ content_id: 'none', licence_uses: ['songs', 'venues', 'video'] });
      expect(await certifyNow()).toEqual(['none', ['venues', 'songs']]);
      const before = await read(api, ids.at(-1) ?? '');
      await answer({ content_id: 'registered' });
      expect(await certifyNow()).toEqual(['registered', ['venues', 'songs']]);
      await answer({ licence_uses: '' });
      expect(await certifyNow()).toEqual(['registered', []]);
      expect(await certifyNow()).toEqual(['registered', []]);
      expect(new Set(ids).size).toBe(4);
      expect(await read(api, before.certificate.id)).toEqual(before);
      const later = await read(api, ids.at(-1) ?? '');
      for (const each of [before, later]) expect(await isGenuine(api, each)).toBe(true);
      const { content_id, licence_uses = [] } = before.certificate;
      for (const change of [
        { content_id: 'registered' },
        { licence_uses: [...licence_uses, 'broadcast'] },
        { licence_uses: licence_uses.slice(1) },
        { licence_uses: licence_uses.toReversed() },
      ])
        expect(
          await isGenuine(api, { ...before, certificate: { ...before.certificate, ...change } }),
          JSON.stringify(change),
        ).toBe(false);
      const swapped = { ...later, certificate: { ...later.certificate, content_id, licence_uses } };
      expect(await isGenuine(api, swapped)).toBe(false);
    });

    rule.each([
      [1, ['added_uses', 'content_id', 'licence_line', 'licence_uses']],
      [2, ['added_uses', 'licence_line']],
    ])('when they are of version %i, without what it does not say', async (version, unsaid) => {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const id = await certify(api, visitor, soundId);
      const said = Object.entries((await read(api, id)).certificate).filter(([key]) => !unsaid.includes(key));
      const certificate = { ...Object.fromEntries(said), version };
      const body = JSON.stringify(certificate);
      const signer = createCertificateSigner(SECRET);
      await updateRows(database, 'certificates', { body, signature: signer.sign(body) }, { id });
      const old = await read(api, id);
      expect(old.certificate).toEqual(certificate);
      expect(await isGenuine(api, old)).toBe(true);
      const later = await certify(api, visitor, soundId);
      expect((await read(api, later)).certificate).toMatchObject({ version: 3, content_id: 'unstated' });
      expect(await read(api, id)).toEqual(old);
    });

    rule('when the terms change: the earlier text stays at its address', async () => {
      const { soundId } = await addArtist(database);
      const terms = { slug: 'member-terms', title: '{site}の利用条件', order: 1 };
      const readTerms = async () => {
        const { certificate } = await read(api, await certify(api, createVisitor(api), soundId));
        return api.json(`/api/licences/${certificate.licence_sha256}/`);
      };
      const shipped = await readTerms();
      const { line } = DEFAULT_LICENCE;
      expect(shipped).toMatchObject({ title: '会員規約', body: `Otoichiのサウンドの条件です。\n\n${line}` });
      await savePage(database, { ...terms, body: '**自由**に' });
      const own = await readTerms();
      expect(own).toMatchObject({ title: 'Otoichiの利用条件', body: '**自由**に' });
      await savePage(database, { ...terms, body: '有料に' });
      expect(await readTerms()).toMatchObject({ body: '有料に' });
      for (const each of [shipped, own]) {
        expect(await api.json(`/api/licences/${each.hash}/`)).toEqual(each);
        expect(createHash('sha256').update(toLicenceText(each)).digest('hex')).toBe(each.hash);
      }
      await savePage(database, { ...terms, body: '**自由**に' });
      expect(await readTerms()).toEqual(own);
      await removeTerms();
    });
  });

  test('a member’s list has the member’s own, newest first, page by page', async () => {
    const { artistId, soundId } = await addArtist(database);
    const [memberId, strangerId] = await Promise.all(
      ['lister', 'stranger'].map((username) =>
        createUser(database, { username, email: `${username}@example.test` }),
      ),
    );
    const member = createVisitor(api, { memberId: memberId ?? '' });
    const older = await certify(api, member, soundId);
    api.clock.advance(MINUTE_MS);
    const newer = await certify(api, member, await addSoundOf(database, artistId, { title: '=1+1' }));
    await certify(api, createVisitor(api), soundId);
    const { results, next } = await api.json('/api/account/certificates/', memberId);
    expect(results.map(({ id }: { id: string }) => id)).toEqual([newer, older]);
    expect([results[0].sound_title, next]).toEqual(['=1+1', null]);
    const { certificate } = await read(api, older);
    const { licence_sha256, licence_line } = certificate;
    expect(results[1]).toMatchObject({ sound_id: soundId, licence_sha256, licence_line });
    expect((await api.json('/api/account/certificates/', strangerId)).results).toEqual([]);
    const headers = await as(api, memberId ?? '');
    for (const page of ['0', '101', 'x'])
      expect((await api.app.request(`/api/account/certificates/?page=${page}`, { headers })).status).toBe(
        400,
      );
    const { body } = await getRow(database, 'certificates', { id: older });
    const copies = Array.from({ length: 500 }, (_, index) => ({
      id: String(index).padStart(22, '0'),
      user_id: memberId ?? '',
      issued_at: 0,
      body,
      key_id: '',
      signature: '',
    }));
    await insertMany(database, 'certificates', copies);
    const first = await api.json('/api/account/certificates/', memberId);
    expect([first.results.length, first.next]).toEqual([500, 2]);
    const second = await api.json('/api/account/certificates/?page=2', memberId);
    expect([second.results.length, second.next]).toEqual([2, null]);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { recordReward } from '#server/features/ledger/postings.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { fillCatalogue, toFile } from '#support/sounds/catalogue.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { patchProfile } from '#support/members/profiles.ts';

const ARTIST = 'カナリア工房';
/** In every field that is private to its owner. */
const CANARIES = {
  email: 'canary-account@example.test',
  name: 'canary-name',
  furigana: 'カナリアひみつ',
  message_email: 'canary-contact@example.test',
  bank_name: 'canary-bank',
  branch_name: 'canary-branch',
  deposit_type: 'canary-deposit',
  account_number: '918273645',
  phone_number: '0918-2736-4554',
  password_hash: 'canary-hash',
} as const;
const REWARD_YEN = 918_273;

describe.each(bothDatabases)('an artist seen by others on $name', ({ open }) => {
  const { database, api, useMember } = useApiOnce(open);
  const artistId = useMember({
    ...CANARIES,
    username: ARTIST,
    bio: '鳥の声を録ります。',
    donation_url: 'https://ofuse.me/canary',
    personal_info_status: 'rejected',
    is_verified: true,
  });
  let soundId: string;

  beforeAll(async () => {
    const { typeIds } = await fillCatalogue(database, [{ key: 'a', title: '朝', artist: '別の工房' }]);
    const sound = {
      ...toFile('canary'),
      artist_id: artistId,
      type_id: typeIds.get('BGM') ?? 0,
      title: '籠の歌',
    };
    soundId = (await createSound(database, sound)).id;
    const reward = { artistId, downloads: 3, yen: REWARD_YEN, atMs: Date.UTC(2026, 0, 5) };
    await recordReward(database.db, { ...reward, reference: 'canary-reference', idempotencyKey: 'canary' });
    await patchProfile(api, artistId, { email: 'canary-pending@example.test' });
  });

  const path = (username: string) => `/api/account/artist/${encodeURIComponent(username)}/`;

  test('A10: shows the same fields to every caller', async () => {
    const other = await createUser(database, {
      username: '見る人',
      email: 'viewer@example.test',
      is_staff: true,
    });
    const expected = {
      id: artistId,
      username: ARTIST,
      bio: '鳥の声を録ります。',
      profile_picture: null,
      profile_background: null,
      message_email: '•••@…',
      donation_url: 'https://ofuse.me/canary',
      sound_count: 1,
      joined_at: expect.stringMatching(/Z$/),
      share_picture_url: expect.stringMatching(/^\/share\/artist\//) as unknown,
    };
    for (const viewer of [undefined, other, artistId]) {
      expect(await api.json(path(ARTIST), viewer)).toEqual(expected);
    }
  });

  test('A10: no public reply contains a private value', async () => {
    const addresses = [
      path(ARTIST),
      '/api/account/artists/',
      '/api/sounds/',
      `/api/sounds/?user=${encodeURIComponent(ARTIST)}&include_private=true`,
      `/api/sounds/?search=${encodeURIComponent(ARTIST)}`,
      `/api/sounds/${soundId}/`,
      '/api/genres/',
      '/api/sounds/types/',
      '/api/site-config',
      '/api/page/',
    ];
    const other = await createUser(database, { username: '別の人', email: 'other@example.test' });
    for (const viewer of [undefined, other]) {
      for (const address of addresses) {
        const text = JSON.stringify(await api.json(address, viewer));
        for (const canary of [
          ...Object.values(CANARIES),
          'canary-pending',
          'canary-ref',
          String(REWARD_YEN),
        ]) {
          expect(text, address).not.toContain(canary);
        }
        expect(text, address).not.toMatch(
          /rejected|"(?:personal_info|pending_email|reward|is_blocked|is_staff)/,
        );
      }
    }
    const own = JSON.stringify(await api.json('/api/account/profile/', artistId));
    for (const [field, canary] of Object.entries(CANARIES)) {
      if (field !== 'password_hash') expect(own).toContain(canary); // so they are where they could leak from
    }
  });

  test('A10: the search does not match private values', async () => {
    for (const canary of Object.values(CANARIES)) {
      expect((await api.json(`/api/sounds/?search=${encodeURIComponent(`"${canary}"`)}`)).results).toEqual(
        [],
      );
      expect((await api.get(path(canary))).status).toBe(404);
    }
  });

  test('whose message address is empty is shown as taking no messages', async () => {
    await patchProfile(api, artistId, { message_email: '' });
    expect((await api.json(path(ARTIST))).message_email).toBe('');
    // The account's own address needs no confirmation.
    await patchProfile(api, artistId, { message_email: CANARIES.email });
    expect((await api.json(path(ARTIST))).message_email).toBe('•••@…');
  });

  test('answers a former username with the present one', async () => {
    await patchProfile(api, artistId, { username: 'ヒバリ工房' });
    expect(await api.json(path(ARTIST))).toMatchObject({ id: artistId, username: 'ヒバリ工房' });
    expect(await api.json(path('ヒバリ工房'))).toMatchObject({ id: artistId, username: 'ヒバリ工房' });
    const artists = await api.json('/api/account/artists/');
    expect(artists.map(({ username }: { username: string }) => username)).toContain('ヒバリ工房');
    await patchProfile(api, artistId, { username: ARTIST });
  });

  test('a member who is not an artist has no address, present or former', async () => {
    const id = await createUser(database, { username: '聴くだけの人', email: 'only@example.test' });
    await patchProfile(api, id, { username: '聴くだけの者' });
    for (const name of ['聴くだけの人', '聴くだけの者', '__proto__', 'constructor', '', '\u0000', '%']) {
      expect((await api.get(path(name))).status, name).toBe(404);
    }
  });
});

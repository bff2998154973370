import { beforeAll, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { ArtistSchema } from '#contract/artists/artists.ts';
import { DEFAULT_LICENCE } from '#contract/downloads/licence.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { savePage, setSiteConfig } from '#server/features/site/service.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { ruleDatabases } from '#support/databases/databases.ts';

describe.each(ruleDatabases)('site, genres and artists on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);

  beforeAll(async () => {
    await fillCatalogue(database, [
      { key: 'a', title: '朝' },
      { key: 'b', title: '昼', downloads: 50, artist: 'John Smith' },
      { key: 'c', title: '夜', artist: 'John Smith', isPublished: false },
    ]);
    await createUser(database, { username: 'listener', email: 'l@example.test' });
    await createUser(database, { username: 'newcomer', email: 'n@example.test', is_verified: true });
  });

  test('has a default site config, and shows changes at once', async () => {
    expect(await api.json('/api/site-config')).toEqual({
      navbar_logo: null,
      navbar_sp_logo: null,
      footer_logo: null,
      footer_banner: null,
      maintenance_mode: false,
      allow_register: true,
      licence: DEFAULT_LICENCE,
      licence_uses: ['venues', 'broadcast', 'songs'],
      announcements: [],
      is_extended: true,
    });
    await setSiteConfig(database, { footer_banner: 'b', allow_register: false });
    await setSiteConfig(database, { maintenance_mode: true });
    await setSiteConfig(database, {});
    expect(await api.json('/api/site-config/')).toMatchObject({
      footer_banner: '/pictures/banner/b/1.webp',
      maintenance_mode: true,
      allow_register: false,
    });
  });

  test('lists the footer’s pages in order, without those that have another address', async () => {
    expect(await api.json('/api/page/')).toEqual([]);
    await savePage(database, { slug: 'faq', title: 'よくある質問', order: 2, body: '# FAQ' });
    await savePage(database, { slug: 'about', title: '前の題名', order: 9, body: '' });
    await savePage(database, { slug: 'about', title: 'このサイトについて', order: 1, body: '本文' });
    await savePage(database, { slug: 'member-terms', title: '会員規約', order: 0, body: '規約' });
    await savePage(database, { slug: 'hidden', title: '隠しページ', order: 0, body: '…', isListed: false });
    expect(await api.json('/api/page')).toEqual([
      { slug: 'about', title: 'このサイトについて', order: 1 },
      { slug: 'faq', title: 'よくある質問', order: 2 },
    ]);
    expect(await api.json('/api/page/about/')).toMatchObject({ slug: 'about', body: '本文' });
    expect(await api.json('/api/page/member-terms')).toMatchObject({ title: '会員規約' });
    expect(await api.json('/api/page/hidden')).toMatchObject({ title: '隠しページ' });
    for (const slug of ['nothing', '%00', '..%2f..%2fetc', '%ff', 'ABOUT', '__proto__']) {
      expect((await api.get(`/api/page/${slug}/`)).status, slug).toBe(404);
    }
    await expect(savePage(database, { slug: 'No Slug', title: '', order: 0, body: '' })).rejects.toThrow(
      RangeError,
    );
  });

  test('lists types and genres in order of creation', async () => {
    const types = await api.json('/api/sounds/types/');
    expect(types.map((type: { name: string }) => type.name)).toEqual(['BGM', '効果音']);
    const genres = await api.json('/api/genres/');
    expect(genres[0]).toMatchObject({ name: 'ムード' });
    expect(genres[0].sub_genres.map((subGenre: { name: string }) => subGenre.name)).toEqual([
      '明るい',
      '切ない',
      'ホラー',
      '癒し',
    ]);
  });

  test('shows only the public fields of an artist', async () => {
    const artist = await api.json('/api/account/artist/John%20Smith/');
    expect(v.parse(ArtistSchema, artist)).toEqual(artist);
    expect(artist).toMatchObject({
      username: 'John Smith',
      sound_count: 1,
      message_email: '•••@…',
      donation_url: 'https://ofuse.me/example',
    });
    expect(Object.keys(artist).sort()).toEqual([
      'bio',
      'donation_url',
      'id',
      'joined_at',
      'message_email',
      'profile_background',
      'profile_picture',
      'share_picture_url',
      'sound_count',
      'username',
    ]);
    expect(JSON.stringify(artist)).not.toMatch(/ひみつ|1234567|@example/);
  });

  test('finds an artist by any case and width of the name', async () => {
    expect(await api.json('/api/account/artist/ｊｏｈｎ%20smith')).toMatchObject({ username: 'John Smith' });
  });

  test('answers 404 for members who are neither verified nor have a public sound', async () => {
    expect((await api.get('/api/account/artist/newcomer/')).status).toBe(200);
    for (const name of ['listener', 'nobody', '%00', '%ff', '%ud800', 'a'.repeat(5_000)]) {
      expect((await api.get(`/api/account/artist/${name}/`)).status, name).toBe(404);
    }
  });

  test('orders artists by the popularity of their sounds', async () => {
    const cards = await api.json('/api/account/artists/');
    expect(cards.map((card: { username: string }) => card.username)).toEqual(['John Smith', '音工房']);
    expect(cards[0]).toEqual({
      username: 'John Smith',
      bio: 'John Smithです。',
      profile_picture: null,
      sound_count: 1,
    });
  });
});

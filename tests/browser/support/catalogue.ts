import { encodeMp3 } from '#demo/encode.ts';
import { storeSoundFile } from '#demo/store-sound.ts';
import { SAMPLE_RATE } from '#demo/synth/audio.ts';
import { LICENCE_USES } from '#contract/sounds/sound-facts.ts';
import { createUser } from '#server/features/accounts/users.ts';
import type { Database } from '#server/platform/database/open.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { createGenre, createSoundType } from '#server/features/catalogue/genres/service.ts';
import { savePage } from '#server/features/site/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { storePicture } from '#server/media/pictures/pictures.ts';
import { toSoundKey } from '#server/media/object-keys.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { correctSound } from '#support/sounds/catalogue.ts';
import type { Place } from '#demo/seed.ts';
import sharp from 'sharp';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

export const LONG_TITLE = `${'とても長い題名のサウンド'.repeat(9)}${'Supercalifragilistic'.repeat(3)}`;
export const MARKUP_TITLE = '<img src=x onerror="window.__xss=1"></script><b>太字</b>';
export const COUNT = 46;
export const MEMBER = { email: 'member@example.test', password: 'member password' };
/** An artist with a picture and the member's password. */
export const ARTIST_EMAIL = 'a@example.test';
/** A verified member with enough earnings for a payout and the same password. */
export const PAYEE_EMAIL = 'payee@example.test';

/**
 * A small catalogue of edge cases: no title, a very long one, markup, no picture,
 * a private sound, a missing file and a broken one.
 */
export async function seedCatalogue({ database, storage }: Place): Promise<void> {
  const bgm = await createSoundType(database, { name: 'BGM', icon: 'music' });
  const effects = await createSoundType(database, { name: '効果音', icon: 'effect' });
  const mood = await createGenre(database, { name: 'ムード', subGenres: ['明るい', '切ない', '緊張感'] });
  const scene = await createGenre(database, { name: 'シーン', subGenres: ['戦闘', '日常'] });
  await savePage(database, {
    slug: 'faq',
    title: 'よくある質問',
    order: 2,
    body: '## 質問\n\n<script>window.__xss=1</script>\n\n[危険](javascript:alert(1))',
  });
  await savePage(database, { slug: 'about', title: 'このサイトについて', order: 1, body: '紹介です。' });
  const artist = await createUser(database, {
    username: '音の人',
    email: ARTIST_EMAIL,
    is_verified: true,
    password_hash: await hashPassword(MEMBER.password),
    bio: 'はじめまして。\n音を作っています。',
    donation_url: 'https://ofuse.me/otonohito',
    message_email: 'artist-mail@example.test',
    picture_key: await storePicture(storage, await makePicture('#2b6f77'), 'avatar'),
    background_key: await storePicture(storage, await makePicture('#e2d6c4'), 'background'),
  });
  await createUser(database, {
    username: '聴く人',
    email: MEMBER.email,
    password_hash: await hashPassword(MEMBER.password),
  });
  await seedPayee(database);
  const bare = await createUser(database, {
    username: 'bare_artist',
    email: 'b@example.test',
    is_verified: true,
  });
  const thumbnail = await storePicture(storage, await makePicture('#b93a20'), 'thumbnail');
  const { file: long } = await storeSoundFile(storage, makeTone(220, 20));
  const { file: short } = await storeSoundFile(storage, makeTone(660, 0.4));

  const base = { artist_id: artist, type_id: bgm, filename: 'tone.mp3', ...long };
  const now = Date.now();
  for (let index = 0; index < COUNT - 5; index += 1) {
    const isEffect = index % 3 === 0;
    const { seq } = await createSound(database, {
      ...base,
      ...(isEffect ? short : long),
      type_id: isEffect ? effects : bgm,
      artist_id: index % 5 === 0 ? bare : artist,
      title: index === 7 ? '' : `${isEffect ? '決定音' : '静かな雨'} ${index}`,
      description:
        index % 4 === 0 ? '' : '雨の日に作った、ゆっくりとした曲です。動画や配信の背景にお使いください。',
      thumbnail_key: index % 4 === 1 ? null : thumbnail,
      is_ai_generated: index % 9 === 2,
      is_loopable: index % 2 === 0,
      ...(index % 3 === 1 && { has_vocals: index % 2 === 0 }),
      moods: index % 4 === 0 ? ['bright', 'sad'] : index % 4 === 1 ? ['sad'] : [],
      licence_uses: index % 2 === 0 ? ['venues', 'broadcast'] : [],
      ...(index % 6 === 0 && { content_id: 'none' as const }),
      sub_genre_ids: [...mood.subGenreIds.values()]
        .slice(index % 3, (index % 3) + 1)
        .concat([...scene.subGenreIds.values()].slice(index % 2, (index % 2) + 1)),
      download_count: (index * 37) % 101,
      favorite_count: (index * 13) % 31,
      created_at: now - (COUNT - index) * 3_600_000,
    });
    if (index % 6 === 1) await correctSound(database, seq, { key: index < 20 ? 'F#m' : 'C' });
  }
  await createSound(database, { ...base, title: '非公開の曲', is_published: false });
  await createSound(database, {
    ...base,
    title: LONG_TITLE,
    description: LONG_TITLE,
    licence_uses: [...LICENCE_USES],
    content_id: 'registered',
  });
  await createSound(database, {
    ...base,
    title: MARKUP_TITLE,
    description: MARKUP_TITLE,
    thumbnail_key: thumbnail,
  });

  const { file: gone } = await storeSoundFile(storage, makeTone(300, 3));
  await createSound(database, { ...base, ...gone, title: '消えたファイル' });
  await storage.delete(toSoundKey(gone.audio_key));
  const { file: broken } = await storeSoundFile(storage, makeTone(310, 3));
  await createSound(database, { ...base, ...broken, title: '壊れたファイル' });
  await storage.delete(toSoundKey(broken.audio_key));
  // As long as its row says: a shorter one would break the transfer instead.
  await storage.put(toSoundKey(broken.audio_key), Buffer.alloc(broken.audio_size, 'not a sound at all'));
  // Long enough that no test reaches the broken files, which follow it in lists.
  await createSound(database, {
    ...base,
    type_id: effects,
    title: '最新の戦闘音',
    thumbnail_key: thumbnail,
  });
  await skipMeasuring(database);
}

/** Otherwise every site would measure them while its tests run, before the sounds of these tests. */
async function skipMeasuring({ db }: Database): Promise<void> {
  await everyTable(db).deleteFrom('undecoded_sounds').execute();
}

/** Adds newer sounds, `追加の曲 0` first, of `bare_artist`, that share the audio of a sound of the catalogue. */
export async function addPlainSounds(database: Database, count: number): Promise<void> {
  const { artist_id, type_id, filename, audio_key, audio_mime, audio_size, duration_ms, peaks } =
    await everyTable(database.db)
      .selectFrom('sounds')
      .selectAll()
      .where('title', '=', '静かな雨 40')
      .executeTakeFirstOrThrow();
  const file = { filename, audio_key, audio_mime, audio_size, duration_ms, peaks };
  for (let index = 0; index < count; index += 1) {
    await createSound(database, { ...file, artist_id, type_id, title: `追加の曲 ${index}` });
  }
  await skipMeasuring(database);
}

async function seedPayee(database: Database): Promise<void> {
  const artistId = await createUser(database, {
    username: '受け取る人',
    email: PAYEE_EMAIL,
    password_hash: await hashPassword(MEMBER.password),
    name: '受取 花子',
    furigana: 'うけとり はなこ',
    bank_name: '見本銀行',
    branch_name: '中央支店',
    deposit_type: '普通',
    account_number: '7654321',
    phone_number: '090-8765-4321',
    personal_info_status: 'confirmed',
    is_personal_info_verified: true,
  });
  for (const [monthsAgo, downloads, yen] of [
    [2, 300, 900],
    [1, 411, 12_345],
    [0, 33, 99],
  ] as const) {
    const now = new Date();
    const atMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 2);
    const key = `month ${monthsAgo}`;
    const reward = { artistId, downloads, yen, atMs, reference: key, idempotencyKey: key };
    await database.db.transaction().execute((transaction: Handle) => recordReward(transaction, reward));
  }
}

function makeTone(hertz: number, sec: number): Uint8Array {
  const samples = Float32Array.from({ length: Math.round(SAMPLE_RATE * sec) }, (_, index) => {
    const time = index / SAMPLE_RATE;
    return 0.2 * Math.sin(2 * Math.PI * hertz * time) * (0.6 + 0.4 * Math.sin(2 * Math.PI * 0.5 * time));
  });
  return encodeMp3(samples, { title: 'tone', artist: 'test', album: 'test' });
}

function makePicture(color: string): Promise<Buffer> {
  return sharp({ create: { width: 640, height: 640, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
}

import decode from 'audio-decode';
import { parseBuffer } from 'music-metadata';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { FACT_NAMES, SOUND_MOODS_MAX } from '#contract/sounds/sound-facts.ts';
import { demoAccounts } from '#demo/accounts.ts';
import { describeCatalogue, type SoundSpec } from '#demo/catalogue.ts';
import { renderAll } from '#demo/render-all.ts';
import { FACT_TEXTS } from '#src/lib/fact-texts.ts';
import { type RenderedSound, renderPicture, renderSound } from '#demo/render.ts';

const catalogue = describeCatalogue();

function soundWith(wanted: (sound: SoundSpec) => boolean): SoundSpec {
  const found = catalogue.sounds.filter(wanted).sort((a, b) => a.durationSec - b.durationSec)[0];
  if (!found) throw new Error('No such sound in the catalogue');
  return found;
}

const shortMusic = soundWith((sound) => sound.recipe.kind === 'music');
const coin = soundWith((sound) => sound.recipe.kind === 'effect' && sound.recipe.effect === 'coin');
const knock = soundWith((sound) => sound.recipe.kind === 'effect' && sound.recipe.effect === 'knock');

const rendered = new Map<SoundSpec, RenderedSound>();

function renderOnce(spec: SoundSpec): RenderedSound {
  const sound = rendered.get(spec) ?? renderSound(spec);
  rendered.set(spec, sound);
  return sound;
}

async function samplesOf(mp3: Uint8Array): Promise<{ channels: Float32Array[]; rate: number }> {
  const { channelData, sampleRate } = await decode(mp3);
  return { channels: channelData, rate: sampleRate };
}

describe('the description', () => {
  test('is the same for each call', () => {
    expect(describeCatalogue()).toEqual(catalogue);
  });

  test('is plain data that can be posted to a worker', () => {
    expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue);
  });

  test('has enough sounds, artists and genres', () => {
    const { sounds, artists } = catalogue;
    expect(artists).toHaveLength(14);
    expect(sounds.filter(({ typeName }) => typeName === 'BGM').length).toBeGreaterThanOrEqual(30);
    expect(sounds.filter(({ typeName }) => typeName === '効果音').length).toBeGreaterThanOrEqual(45);
    expect(sounds.filter(({ thumbnail }) => !thumbnail).length).toBeGreaterThanOrEqual(15);
    expect(sounds.filter(({ isAiGenerated }) => isAiGenerated).length).toBeGreaterThanOrEqual(6);
    expect(sounds.filter(({ isPublished }) => !isPublished)).toHaveLength(2);
    expect(sounds.filter(({ title }) => title.length >= 80 && title.length <= 120)).toHaveLength(3);
    expect(sounds.filter(({ title }) => title === '')).toHaveLength(1);
    const counts = artists.map(({ username }) => sounds.filter(({ artist }) => artist === username).length);
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(8);
  });

  test('has at most a quarter of an hour of audio, which bounds the time to render it', () => {
    expect(catalogue.sounds.reduce((sum, { durationSec }) => sum + durationSec, 0)).toBeLessThan(900);
  });

  test('has durations from 0.3 s to over a minute', () => {
    const lengths = catalogue.sounds.map(({ durationSec }) => durationSec);
    expect(Math.min(...lengths)).toBe(0.3);
    expect(lengths.filter((length) => length > 60).length).toBeGreaterThanOrEqual(3);
  });

  test('uses each sub-genre name once, and only names that exist', () => {
    const names = catalogue.genres.flatMap(({ subGenres }) => subGenres);
    expect(new Set(names).size).toBe(names.length);
    for (const { title, subGenres } of catalogue.sounds) {
      expect(subGenres.length, title).toBeGreaterThan(0);
      expect(names, title).toEqual(expect.arrayContaining(subGenres));
    }
  });

  test('has no genre that repeats a filter, but moods', () => {
    const filters = new Set(
      FACT_NAMES.flatMap((name) => [FACT_TEXTS[name].name, ...Object.values(FACT_TEXTS[name].values)]),
    );
    const names = catalogue.genres.flatMap(({ name, subGenres }) => [name, ...subGenres]);
    expect(names.filter((name) => filters.has(name))).toEqual([]);
    const moods = catalogue.sounds.map((sound) => sound.moods.length);
    expect(moods.filter((count) => count > 0).length).toBeGreaterThan(catalogue.sounds.length / 2);
    expect(Math.max(...moods)).toBeLessThanOrEqual(SOUND_MOODS_MAX);
  });

  test('leaves no sub-genre empty', () => {
    const used = new Set(catalogue.sounds.flatMap(({ subGenres }) => subGenres));
    expect(catalogue.genres.flatMap(({ subGenres }) => subGenres).filter((name) => !used.has(name))).toEqual(
      [],
    );
  });

  test('gives every sound a type and a verified artist', () => {
    const artists = new Map(catalogue.artists.map((artist) => [artist.username, artist]));
    for (const { artist, typeName } of catalogue.sounds) {
      expect(artists.get(artist)?.state.isVerified, artist).toBe(true);
      expect(catalogue.types.map(({ name }) => name)).toContain(typeName);
    }
  });

  test('has an account for every state of the spec, each with its own address', () => {
    const addresses = [...catalogue.artists, ...demoAccounts].map(
      ({ email, username }) => `${email} ${username}`,
    );
    const people = new Set(addresses);
    expect(new Set([...people].map((person) => person.split(' ')[0])).size).toBe(people.size);
    expect(demoAccounts.map(({ state }) => state.personalInfoStatus)).toEqual(
      expect.arrayContaining(['', 'pending', 'confirmed', 'rejected']),
    );
    expect(demoAccounts.filter(({ state }) => state.isBlocked)).toHaveLength(1);
    expect(demoAccounts.filter(({ state }) => state.isStaff)).toHaveLength(1);
    expect(demoAccounts.filter(({ state }) => state.status === 'pending' && !state.isVerified)).toHaveLength(
      3,
    );
  });
});

describe('a rendered sound', () => {
  test('has the same bytes each time', () => {
    expect(Buffer.compare(renderSound(coin).mp3, renderOnce(coin).mp3)).toBe(0);
    expect(Buffer.compare(renderSound(shortMusic).mp3, renderOnce(shortMusic).mp3)).toBe(0);
  });

  test('carries its title and artist', async () => {
    const { common } = await parseBuffer(renderOnce(coin).mp3, { mimeType: 'audio/mpeg' });
    expect(common).toMatchObject({ title: coin.title, artist: coin.artist, album: 'Demo' });
  });

  test.each([
    ['music', shortMusic, 2],
    ['a mono effect', coin, 1],
    ['an effect in a room', knock, 2],
  ])(
    'of %s lasts as described, is loud enough, starts at once and is not clipped',
    async (_, spec, channelCount) => {
      const { mp3, durationMs } = renderOnce(spec);
      const { format } = await parseBuffer(mp3, { mimeType: 'audio/mpeg' }, { duration: true });
      expect(durationMs).toBe(Math.round(spec.durationSec * 1000));
      // Durations are rounded up to whole MP3 frames.
      expect(format.duration).toBeGreaterThanOrEqual(durationMs / 1000);
      expect(format.duration).toBeLessThan(durationMs / 1000 + 0.12);

      const { channels, rate } = await samplesOf(mp3);
      const [first] = channels;
      if (!first) throw new Error('No audio decoded');
      expect(channels).toHaveLength(channelCount);
      expect(first.length / rate).toBeCloseTo(spec.durationSec, 2);
      const peak = Math.max(
        ...channels.map((channel) => channel.reduce((high, x) => Math.max(high, Math.abs(x)), 0)),
      );
      expect(peak).toBeGreaterThan(0.2);
      expect(peak).toBeLessThan(0.98);
      expect(first.findIndex((x) => Math.abs(x) > 0.003) / rate).toBeLessThan(0.05);
    },
  );

  test('is the same from the worker pool as from a direct call', async () => {
    const specs = [coin, knock];
    const seen: number[] = [];
    for await (const { index, mp3 } of renderAll(specs)) {
      seen.push(index);
      expect(Buffer.compare(mp3, renderSound(specs[index] as SoundSpec).mp3)).toBe(0);
    }
    expect(seen.sort()).toEqual([0, 1]);
  });
});

describe('a rendered picture', () => {
  test('has the size and the format described', async () => {
    const spec = soundWith(({ thumbnail }) => thumbnail !== null).thumbnail;
    if (!spec) throw new Error('No thumbnail');
    expect(await sharp(await renderPicture(spec)).metadata()).toMatchObject({
      width: 640,
      height: 640,
      format: 'jpeg',
    });
  });

  test('of the logo is transparent', async () => {
    const { data } = await sharp(await renderPicture(catalogue.site.logo!))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
  });
});

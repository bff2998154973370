import type { Artist } from '../../contract/artists/artists.ts';
import { UNTITLED, type Sound } from '../../contract/sounds/sounds.ts';
import type { PublicSettings } from './public-settings.ts';
import { toCreditText } from '../lib/credit-text.ts';
import { artistPath, soundPath } from '../lib/paths.ts';

/** schema.org data of the site: search engines show its name. */
export function toSiteData({ siteName, siteUrl }: PublicSettings): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: siteName,
    url: `${siteUrl}/`,
    inLanguage: 'ja',
  };
}

/** schema.org AudioObject of a sound. */
export function toSoundData(sound: Sound, { siteName, siteUrl }: PublicSettings): object {
  const toUrl = (path: string | null) => (path === null ? undefined : new URL(path, siteUrl).href);
  const title = sound.title || UNTITLED;
  return {
    '@context': 'https://schema.org',
    '@type': 'AudioObject',
    name: title,
    description: sound.description || undefined,
    url: toUrl(soundPath(sound.id)),
    contentUrl: toUrl(sound.file_url),
    thumbnailUrl: toUrl(sound.thumbnail_url),
    encodingFormat: sound.mime_type,
    duration: sound.duration_ms === undefined ? undefined : `PT${sound.duration_ms / 1000}S`,
    uploadDate: sound.created_at,
    isAccessibleForFree: true,
    license: toUrl('/member-terms'),
    acquireLicensePage: toUrl(soundPath(sound.id)),
    ...(sound.artist_name !== '' && {
      creditText: toCreditText(title, sound.artist_name, siteName),
      copyrightNotice: `© ${sound.artist_name}`,
      creator: { '@type': 'Person', name: sound.artist_name, url: toUrl(artistPath(sound.artist_name)) },
    }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/DownloadAction',
      userInteractionCount: sound.download_count,
    },
  };
}

/** schema.org ProfilePage of an artist. */
export function toArtistData(artist: Artist, { siteUrl }: PublicSettings): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    dateCreated: artist.joined_at,
    mainEntity: {
      '@type': 'Person',
      name: artist.username,
      description: artist.bio || undefined,
      url: new URL(artistPath(artist.username), siteUrl).href,
      image: artist.profile_picture ? new URL(artist.profile_picture, siteUrl).href : undefined,
    },
  };
}

import { getArtist, listArtists } from '../../../contract/artists/artists.ts';
import { toShareVersion } from '../../media/pictures/share-pictures.ts';
import { readPublic } from '../../platform/database/replica.ts';
import { READS } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Rule } from '../../platform/http/access.ts';
import type { Feature } from '../feature.ts';
import { findArtist, listArtistsToDiscover, toShareSubject } from './service.ts';

/** Indicates that an address exists without disclosing it: messages are addressed by username. */
const MASKED_EMAIL = '•••@…';

const PUBLIC: Rule<'anyone'> = { caller: 'anyone', owner: 'public', limits: [READS] };

/** The public side of artists. */
export const artistsFeature: Feature = {
  name: 'artists',
  apiTexts: () => import('./api-texts.ts'),
  createModule: () => ({
    routes: [
      route(listArtists, PUBLIC, async (_, { database, fileUrls }: Platform) => {
        const artists = await listArtistsToDiscover(database);
        return artists.map((artist) => ({
          username: artist.username,
          bio: artist.bio,
          profile_picture: fileUrls.picture(artist.picture_key, 'avatar'),
          sound_count: artist.soundCount,
        }));
      }),

      route(getArtist, PUBLIC, async ({ params, caller }, { database, fileUrls, siteName }: Platform) => {
        const find = (source: typeof database) => findArtist(source, params.username);
        const artist =
          (caller === null ? await readPublic(database, find) : undefined) ?? (await find(database));
        if (artist === undefined) throw notFound();
        return {
          id: artist.id,
          username: artist.username,
          bio: artist.bio,
          profile_picture: fileUrls.picture(artist.picture_key, 'avatar'),
          profile_background: fileUrls.picture(artist.background_key, 'background'),
          message_email: artist.takesMessages ? MASKED_EMAIL : '',
          donation_url: artist.donation_url,
          sound_count: artist.soundCount,
          joined_at: new Date(artist.createdAtMs).toISOString(),
          share_picture_url: fileUrls.share(
            'artist',
            artist.username,
            toShareVersion(toShareSubject(artist, siteName)),
          ),
        };
      }),
    ],
  }),
};

import { getArtist, listArtists } from '../../../contract/artists.ts';
import { READS, declare } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { serveArtists } from './routes.ts';

/** The public side of artists. */
export function createArtistsModule(): Module {
  return {
    name: 'artists',
    access: [declare(listArtists, 'anyone', 'public', READS), declare(getArtist, 'anyone', 'public', READS)],
    serve: serveArtists,
  };
}

import type { Profile } from '../../../contract/accounts.ts';
import type { ApiDeps } from '../../http/context.ts';
import { notFound } from '../../http/problem.ts';
import { findProfileRow } from './queries.ts';

/** A profile with everything its owner may see (spec §3). Throws `Problem` 404 when it has just gone. */
export async function getOwnProfile(
  { database, fileUrls }: Pick<ApiDeps, 'database' | 'fileUrls'>,
  userId: string,
): Promise<Profile> {
  const row = await findProfileRow(database.db, userId);
  if (row === undefined) throw notFound();
  const { picture_key, background_key, ...fields } = row;
  return {
    ...fields,
    profile_picture: fileUrls.picture(picture_key, 'avatar'),
    profile_background: fileUrls.picture(background_key, 'background'),
    is_personal_info_verified: row.is_personal_info_verified === 1,
    is_verified: row.is_verified === 1,
    is_blocked: row.is_blocked === 1,
  };
}

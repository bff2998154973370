import { decideOnSound, getStaffSound, searchStaffSounds } from '../../../contract/operator/sounds.ts';
import type { ReviewedSound, SoundDecision } from '../../../contract/operator/sounds.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { readSoundFigures } from '../downloads/sound-figures.ts';
import { selectReportsOf } from '../reports/queries.ts';
import { decideOrNameActor } from '../staff/actions.ts';
import type { EarlierActions } from '../staff/actions.ts';
import { deleteSoundAsStaff, hideSound, unhideSound } from '../takedowns/sounds.ts';
import { findSoundForStaff } from '../takedowns/queries.ts';
import { listActionsOn } from './actions.ts';
import { DECIDING_RECENTLY, READING, READING_RECENTLY } from '../staff/rules.ts';
import { findSounds } from './sound-search.ts';

/** The list names what visitors may not see; hearing it, what it earned, and decisions need a recent log-in. */
export const SOUND_ROUTES: readonly Route[] = [
  route(
    searchStaffSounds,
    READING,
    ({ query: { search = '', artist = '', state, page = 1 } }, { database }) =>
      findSounds(database, { search, artist, state, page }),
  ),

  route(getStaffSound, READING_RECENTLY, ({ params: { id }, caller }, platform) =>
    openSound(platform, id, caller.id),
  ),

  route(decideOnSound, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, platform) => {
    await decide(platform, id, caller.id, body);
    return { action: body.action };
  }),
];

/** A sound with everything that a decision needs. Throws `Problem` 404. */
async function openSound(
  { database, clock, fileUrls }: Platform,
  id: string,
  staffId: string,
): Promise<ReviewedSound> {
  const { db } = database;
  const sound = isId(id) ? await findSoundForStaff(db, id) : undefined;
  if (sound === undefined) throw notFound();
  const reports = await selectReportsOf(db, id);
  const isOwn = sound.artist_id === staffId;
  return {
    id,
    title: sound.title,
    artist: sound.artist,
    artist_id: sound.artist_id,
    state: sound.state,
    type: sound.type,
    description: sound.description,
    filename: sound.filename,
    duration_ms: sound.duration_ms,
    downloads: sound.download_count,
    favorites: sound.favorite_count,
    created_at: sound.created_at,
    hidden_reason: sound.hidden_reason,
    // Signed also for a public sound: it goes on playing when it is hidden.
    audio: sound.deleted_at === null ? fileUrls.audio({ ...sound, is_published: false }) : null,
    reports,
    ...(await readSoundFigures(db, id, clock.now())),
    actions: await listActionsOn(db, [id, ...reports.map((report) => report.id)]),
    is_own: isOwn,
    allowed: isOwn ? [] : [sound.hidden_reason === null ? 'hide' : 'unhide', 'delete'],
  };
}

/** The actions on record that can have come before each decision. */
const EARLIER: Readonly<Record<SoundDecision, EarlierActions>> = {
  hide: { 'hide sound': '非公開にしています' },
  unhide: { 'unhide sound': '非公開を解除しています' },
  delete: {},
};

/**
 * Carries out a decision about a sound. Throws `Problem` 400 for one without the reason that it needs, 403 for the
 * caller's own sound, 404, and 409 that names who decided first.
 */
async function decide(
  platform: Platform,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: SoundDecision; readonly reason: string },
): Promise<void> {
  const { db } = platform.database;
  const sound = isId(id) ? await findSoundForStaff(db, id) : undefined;
  // An artist never changes.
  if (sound?.artist_id === staffId) throw new Problem(403, 'ご自身のサウンドは操作できません。');
  const decisions: Readonly<Record<SoundDecision, () => Promise<boolean | void>>> = {
    hide: () => hideSound(platform, id, staffId, reason),
    unhide: () => unhideSound(platform, id, staffId),
    delete: () => deleteSoundAsStaff(platform, id, staffId, reason),
  };
  await decideOrNameActor(db, id, EARLIER[action], async () => {
    if ((await decisions[action]()) === false) throw new Problem(409, 'ほかの操作で、すでに変わっています。');
  });
}

import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import type { SoundQuery } from '../../../contract/sounds/sounds.ts';
import { isId, randomId } from '../../platform/database/statements/random-id.ts';
import type { Database } from '../../platform/database/open.ts';
import { findGivenUses, toUses } from '../terms/terms.ts';
import { selectFavoriteSeqs } from './favorites/queries.ts';
import { selectOwnFindings } from './findings-queries.ts';
import { listSeqs } from './listing/listing.ts';
import type { SeqPage } from './listing/listing.ts';
import { toPopularity } from './popularity.ts';
import type { SoundRow } from './queries.ts';
import { findFileById, findSoundById, insertSound, selectSounds, selectSubGenreIds } from './queries.ts';
import { updateEffective } from './features-queries.ts';
import { selectSearchDocument } from './search/documents.ts';
import { insertUnpronounced } from './search/pronunciation-queries.ts';
import { toSearchTokens } from './search/tokens.ts';
import { insertUncompared, selectNeighbours } from './similar/queries.ts';
import { toFieldColumns } from './sound-fields.ts';
import type { GivenFields } from './sound-fields.ts';
import { toShareSubject } from './to-wire.ts';
import { isVisible } from './visibility.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { toFlag } from '../../platform/database/tables/parts.ts';

/** More than these are stored, because some may be withdrawn. */
const SIMILAR_SHOWN_MAX = 12;

export interface FoundSound {
  readonly row: SoundRow;
  readonly subGenreIds: readonly number[];
  /** By the caller. */
  readonly isFavorited: boolean;
  readonly uses: ReturnType<typeof toUses>;
  /** Only for its artist, once the sound is measured. */
  readonly findings: SoundFindings | undefined;
}

export interface SoundPage extends Omit<SeqPage, 'seqs'> {
  readonly sounds: readonly FoundSound[];
}

/** A page of the sounds that `callerId` may see; null is a visitor. */
export async function listSounds(
  database: Database,
  query: SoundQuery,
  callerId: string | null,
): Promise<SoundPage> {
  const { seqs, ...page } = await listSeqs(database, query, callerId);
  // The search index changes with the rows. If it ever did not, this still keeps private sounds out.
  return { ...page, sounds: await findSounds(database, seqs, callerId) };
}

/** The sounds with these seqs that `callerId` may see, in the same order. */
export async function findSounds(
  database: Database,
  seqs: readonly number[],
  callerId: string | null,
): Promise<FoundSound[]> {
  const [rows, addTo] = await Promise.all([
    selectSounds(database.db, seqs),
    findAdditions(database, seqs, callerId),
  ]);
  return rows.filter((row) => isVisible(row, callerId)).map(addTo);
}

/** One sound; undefined when it does not exist, or is private and not the caller's. */
export async function findSound(
  database: Database,
  id: string,
  callerId: string | null,
): Promise<FoundSound | undefined> {
  if (!isId(id)) return undefined;
  const row = await findSoundById(database.db, id);
  if (row === undefined || !isVisible(row, callerId)) return undefined;
  return (await findAdditions(database, [row.seq], callerId))(row);
}

/** What the picture of links to a public sound shows; undefined for others. */
export async function findSoundSubject({ db }: Database, id: string, siteName: string) {
  const row = isId(id) ? await findSoundById(db, id) : undefined;
  return row !== undefined && isVisible(row, null) ? toShareSubject(row, siteName) : undefined;
}

export interface SimilarSounds {
  /** Public ones of the same type, nearest first. */
  readonly sounds: readonly FoundSound[];
  /** How many of the first are similar for sure. */
  readonly sureCount: number;
}

/** Sounds that sound similar; undefined when the sound does not exist, or is private and not the caller's. */
export async function listSimilar(
  database: Database,
  id: string,
  callerId: string | null,
): Promise<SimilarSounds | undefined> {
  const { db } = database;
  const sound = await findSound(database, id, callerId);
  if (sound === undefined) return undefined;
  const neighbours = await selectNeighbours(db, sound.row.seq);
  const rows = await selectSounds(db, neighbours.seqs);
  const visible = rows
    .filter((row) => isVisible(row, null) && row.type_id === sound.row.type_id)
    .slice(0, SIMILAR_SHOWN_MAX);
  const seqs = visible.map(({ seq }) => seq);
  const sure = new Set(neighbours.seqs.slice(0, neighbours.sure));
  return {
    sounds: visible.map(await findAdditions(database, seqs, callerId)),
    sureCount: seqs.filter((seq) => sure.has(seq)).length,
  };
}

/** Returns a function that adds data of other tables, with one query per table for any number of sounds. */
async function findAdditions(
  database: Database,
  seqs: readonly number[],
  callerId: string | null,
): Promise<(row: SoundRow) => FoundSound> {
  const { db } = database;
  const [givenUses, subGenreIds, favorites, findings] = await Promise.all([
    findGivenUses(database),
    selectSubGenreIds(db, seqs),
    callerId === null ? new Set<number>() : selectFavoriteSeqs(db, callerId, seqs),
    callerId === null ? new Map<number, SoundFindings>() : selectOwnFindings(db, callerId, seqs),
  ]);
  return (row) => ({
    row,
    subGenreIds: subGenreIds.get(row.seq) ?? [],
    isFavorited: favorites.has(row.seq),
    uses: toUses(row.licence_uses, givenUses),
    findings: findings.get(row.seq),
  });
}

/** The file data that the media server needs. The caller decides whether it may be sent. */
export interface SoundFile {
  readonly id: string;
  readonly artist_id: string;
  readonly title: string;
  readonly filename: string;
  readonly audio_key: string;
  readonly audio_mime: string;
  /** Bytes. */
  readonly audio_size: number;
  readonly is_published: boolean;
  readonly artistUsername: string;
}

export async function findSoundFile({ db }: Database, soundId: string): Promise<SoundFile | undefined> {
  if (!isId(soundId)) return undefined;
  const row = await findFileById(db, soundId);
  return row && { ...row, is_published: row.is_published === 1 };
}

export interface NewSound extends GivenFields {
  readonly artist_id: string;
  readonly type_id: number;
  readonly title: string;
  readonly description?: string;
  readonly filename: string;
  readonly audio_key: string;
  readonly audio_mime: string;
  /** Bytes. */
  readonly audio_size: number;
  /** For uploads: SHA-256 in hexadecimal. */
  readonly content_hash?: string;
  readonly duration_ms?: number;
  /** kbit/s. */
  readonly bit_rate?: number;
  /** Hz. */
  readonly sample_rate?: number;
  readonly peaks?: string;
  /** JSON list of positions in ms; null when no part of the upload was removed. */
  readonly gaps_ms?: string | null;
  readonly thumbnail_key?: string | null;
  /** An upload, which has no waveform yet and is decoded before sounds that have one. */
  readonly is_fresh?: boolean;
  readonly is_published?: boolean;
  readonly sub_genre_ids?: readonly number[];
  readonly download_count?: number;
  readonly favorite_count?: number;
  /** Epoch ms. Sounds are listed in order of creation, so add older ones first. */
  readonly created_at?: number;
}

/** Adds and indexes a sound in one transaction. */
export async function createSound(database: Database, sound: NewSound): Promise<{ id: string; seq: number }> {
  return database.db
    .transaction()
    .execute((transaction: Handle) => addSound(database, transaction, randomId(), sound));
}

/** Same as `createSound`, in the caller's transaction and with an id from the caller. */
export async function addSound(
  database: Database,
  transaction: Db,
  id: string,
  sound: NewSound,
): Promise<{ id: string; seq: number }> {
  const { sub_genre_ids = [], is_fresh = false, is_published = true, ...rest } = sound;
  const created_at = sound.created_at ?? Date.now();
  const row = {
    content_hash: null,
    ...rest,
    ...toFieldColumns(rest),
    id,
    is_published: toFlag(is_published),
    popularity: toPopularity(sound.download_count ?? 0, sound.favorite_count ?? 0),
    created_at,
    updated_at: created_at,
  };
  const seq = await insertSound(transaction, row, [...new Set(sub_genre_ids)]);
  const undecoded = { sound_seq: seq, is_fresh: toFlag(is_fresh) };
  await transaction.insertInto('undecoded_sounds').values(undecoded).execute();
  await indexSound(database, transaction, seq);
  return { id, seq };
}

/**
 * Updates tempo and key, the search index, and what is to be compared, from a sound's rows. Call it in the transaction
 * that changes them.
 */
export async function indexSound({ search }: Database, transaction: Db, seq: number): Promise<void> {
  await updateEffective(transaction, seq);
  const document = await selectSearchDocument(transaction, seq);
  if (document === undefined) await search.remove(transaction, seq);
  else await search.put(transaction, seq, toSearchTokens(document));
  if (document !== undefined && document.readTokens === undefined) await insertUnpronounced(transaction, seq);
  if (document?.isPublished === true) await insertUncompared(transaction, [seq]);
}

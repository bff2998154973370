import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { ChangeWay } from '../../../contract/sounds/sound-changes.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import { requireSession } from '../accounts/sessions.ts';
import {
  countOthersWorsened,
  countRows,
  hasBeenPublic,
  insertChanges,
  selectChanges,
  selectCrowded,
  storeMerged,
} from './change-queries.ts';
import type { RecordedChange } from './change-queries.ts';
import {
  CHANGES_PER_ARTIST,
  CHANGES_PER_SITE,
  CHANGES_PER_SOUND,
  FORMER_VALUES_MS,
  FREE_WORSENINGS,
} from './limits.ts';
import { mergeChanges } from './merging.ts';
import { lockUploader } from './queries.ts';
import { readValues } from './sound-values.ts';
import { queueSoundsMail } from './sounds-mail.ts';
import { judgeChange, listChanged } from './worsening.ts';
import type { SoundValues, ValueName } from './worsening.ts';
import type { Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** Who changes sounds, and from what kind of device (`describeDevice`). */
export interface Changer {
  readonly caller: Pick<Caller, 'id' | 'sessionId' | 'authenticatedAt'>;
  readonly device: string;
}

type RecordingDeps = Pick<Platform, 'clock' | 'siteUrl' | 'siteName'>;
export type Owner = NonNullable<Awaited<ReturnType<typeof lockUploader>>>;

/**
 * Locks an artist before any of their sounds, so that changes and deletions at the same time are counted one after the
 * other. Throws `Problem` 401 when the session has ended meanwhile, 404.
 */
export async function lockOwner(
  transaction: Handle,
  caller: Changer['caller'],
  nowMs: number,
): Promise<Owner> {
  const owner = await lockUploader(transaction, caller.id);
  await requireSession(transaction, caller, nowMs);
  if (owner === undefined) throw notFound();
  return owner;
}

/**
 * Runs `change`, which changes the locked sounds `seqs` of `owner`, and records what it replaced. Throws `Problem` 403
 * when the changes need a more recent log-in; then the transaction must end. The owner gets a mail about those that do.
 */
export async function recordChanges<Result>(
  transaction: Handle,
  deps: RecordingDeps,
  { caller, device, owner, way }: Changer & { readonly owner: Owner; readonly way: ChangeWay },
  seqs: readonly number[],
  change: () => Promise<Result>,
): Promise<Result> {
  const nowMs = deps.clock.now();
  const former = await readValues(transaction, seqs);
  const result = await change();
  const changes = await judgeAll(transaction, former, await readValues(transaction, seqs), nowMs);
  if (changes.length === 0) return result;
  const worse = changes.filter(({ isWorse }) => isWorse).map(({ soundSeq }) => soundSeq);
  const others =
    worse.length === 0 ? 0 : await countOthersWorsened(transaction, owner.id, nowMs - DAY_MS, worse);
  const isGuarded =
    changes.some(({ isWider }) => isWider) || (worse.length > 0 && others + worse.length > FREE_WORSENINGS);
  if (isGuarded) requireRecentLogIn(caller, nowMs);
  await insertChanges(transaction, owner.id, way, changes, nowMs);
  await mergeCrowded(transaction, owner.id, seqs);
  if (isGuarded) await queueSoundsMail(transaction, deps, owner, { nowMs, device });
  return result;
}

async function judgeAll(
  transaction: Db,
  former: ReadonlyMap<number, SoundValues>,
  present: ReadonlyMap<number, SoundValues>,
  nowMs: number,
): Promise<RecordedChange[]> {
  const changes: RecordedChange[] = [];
  for (const [soundSeq, before] of former) {
    const after = present.get(soundSeq) ?? before;
    const names = listChanged(before, after);
    if (names.length === 0) continue;
    const { isWorse, isWider } = judgeChange(before, after);
    changes.push({
      soundSeq,
      before: toReplaced(before, names),
      isWorse,
      isWider: isWider && !(await isDraft(transaction, soundSeq, before, nowMs)),
    });
  }
  return changes;
}

/** The key of a replaced picture is of no use: the file is deleted. */
export function toReplaced(before: SoundValues, names: readonly ValueName[]): Partial<SoundValues> {
  return Object.fromEntries(names.map((name) => [name, name === 'thumbnail' ? '' : before[name]]));
}

/** Whether nobody has ever seen a sound: added within seven days, whose changes are all on record. */
async function isDraft(
  transaction: Db,
  seq: number,
  { is_published }: SoundValues,
  nowMs: number,
): Promise<boolean> {
  if (is_published === 'true') return false;
  const { created_at } = await transaction
    .selectFrom('sounds')
    .select('created_at')
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow();
  const sinceMs = nowMs - FORMER_VALUES_MS;
  return created_at > sinceMs && !(await hasBeenPublic(transaction, seq, sinceMs));
}

/** Limits the number of rows per sound. */
async function mergeCrowded(transaction: Db, artistId: string, seqs: readonly number[]): Promise<void> {
  const { own, all } = await countRows(transaction, artistId);
  const most = own > CHANGES_PER_ARTIST || all > CHANGES_PER_SITE ? 1 : CHANGES_PER_SOUND;
  const crowded = await selectCrowded(transaction, seqs, most);
  if (crowded.length === 0) return;
  const changes = Map.groupBy(await selectChanges(transaction, crowded, 0), ({ sound_seq }) => sound_seq);
  const results = [...changes.values()].map((each) => mergeChanges(each, most));
  await storeMerged(transaction, {
    removed: results.flatMap(({ removed }) => removed),
    merged: results.flatMap(({ merged }) => merged),
  });
}

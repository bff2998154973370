import type { SoundHistoryEntry } from '../../../contract/sounds/sound-changes.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { findGivenUses } from '../terms/terms.ts';
import { selectChanges } from './change-queries.ts';
import { FORMER_VALUES_MS } from './limits.ts';
import { findOwnSound } from './queries.ts';
import { readValues } from './sound-values.ts';
import { isSameValue, toValueAfter } from './worsening.ts';
import type { ValueName } from './worsening.ts';

/** The changes of an artist's own sound within seven days, newest first. Throws `Problem` 404. */
export async function listHistory(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  soundId: string,
  artistId: string,
): Promise<SoundHistoryEntry[]> {
  const { db } = database;
  const sound = isId(soundId) ? await findOwnSound(db, soundId, artistId) : undefined;
  const current = sound && (await readValues(db, [sound.seq])).get(sound.seq);
  if (sound === undefined || current === undefined) throw notFound();
  const changes = await selectChanges(db, [sound.seq], clock.now() - FORMER_VALUES_MS);
  const given = await findGivenUses(database);
  /** Artists do not answer for the uses that the terms give. */
  const toVisibleItems = (name: ValueName, value: string | readonly string[]) =>
    [value].flat().filter((item) => item !== '' && (name !== 'licence_uses' || !given.includes(item)));
  const entries = changes.map(({ seq, way, before, changed_at }, index) => {
    const fields = (Object.keys(before) as ValueName[]).map((name) => ({
      name,
      old: before[name] ?? '',
      next: name === 'thumbnail' ? '' : toValueAfter(changes, index, name, current),
    }));
    const undoable = fields.filter(({ name }) => name !== 'thumbnail');
    return {
      id: String(seq),
      changed_at: new Date(changed_at).toISOString(),
      way,
      can_undo: undoable.length > 0 && undoable.every(({ name, next }) => isSameValue(next, current[name])),
      fields: fields.map(({ name, old, next }) => ({
        name,
        before: toVisibleItems(name, old),
        after: toVisibleItems(name, next),
      })),
    };
  });
  return entries.toReversed();
}

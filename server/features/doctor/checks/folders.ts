import { access, constants, readdir, stat } from 'node:fs/promises';
import {
  isMarkedBucket,
  listMarkedPlaces,
  readMarker,
  restoreMarker,
  toMarkerFile,
} from '../../../platform/storage/markers.ts';
import { listMissingForMachines } from '../../../platform/storage/local-data.ts';
import type { MarkedFolder, MarkedPlace } from '../../../platform/storage/markers.ts';
import { toSoundKey } from '../../../media/object-keys.ts';
import { diagnose } from '../check.ts';
import type { Check, Finding, Site } from '../check.ts';
import { own } from '../tables.ts';

export const folders: Check = {
  name: 'folders',
  priority: 'critical',
  stage: 'first',
  consoleText: 'データのフォルダーに問題があります',
  endsRun: true,
  async run(site) {
    // A bucket has a check of its own.
    const places = listMarkedPlaces(site.settings).filter((place) => !isMarkedBucket(place));
    const findings = await Promise.all(places.map((place) => examine(site, place as MarkedFolder)));
    return findings.flat();
  },
};

async function examine(site: Site, place: MarkedFolder): Promise<Finding[]> {
  const { path } = place;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return [toMissing(path)];
  const isWritable = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return [toUnwritable(path)];
  const { state, id = '' } = await readMarker(await site.openDatabase(), place);
  if (state === 'keyed') return [toKeyed(site, place, id)];
  if (state === 'missing') return [await toUnmarked(site, place, id)];
  return state === 'foreign' ? [toForeign(place, id)] : [];
}

function toMissing(path: string): Finding {
  return diagnose(
    {
      kind: 'no-folder',
      found: `${path} is not a folder.`,
      meaning: 'Sounds, pictures or secrets are not there.',
      remedy: 'Mount its volume, or correct DATA_DIR.',
    },
    path,
  );
}

function toUnwritable(path: string): Finding {
  return diagnose(
    {
      kind: 'not-writable',
      found: `${path} cannot be read and written by this user.`,
      meaning: 'If the server runs as the same user, nothing can be uploaded.',
      remedy: 'Run this as the user of the server; otherwise change the owner of the folder.',
    },
    path,
  );
}

async function toUnmarked(site: Site, place: MarkedFolder, id: string): Promise<Finding> {
  const isRight = await isProbablyRight(site, place);
  return diagnose(
    {
      kind: 'no-marker',
      found: `${toMarkerFile(place)} is missing.`,
      meaning: isRight
        ? 'The folder has files of this site, but the server refuses to start without the marker.'
        : 'The folder is probably not the one of this site: is its volume mounted? The server refuses to start.',
      remedy: `Mount the right folder. If it is the right one, write ${id} into the file${isRight ? ' (--fix does it)' : ''}.`,
      ...(isRight && {
        async fix() {
          await restoreMarker(place, id);
          return `wrote ${toMarkerFile(place)}`;
        },
      }),
    },
    place.path,
  );
}

function toKeyed({ settings }: Site, place: MarkedFolder, id: string): Finding {
  return diagnose(
    {
      kind: 'missing-settings',
      found: `This site keeps nothing in its data folder, but here it would: ${listMissingForMachines(settings).join(', ')} is not set.`,
      meaning: 'With these settings the server refuses to start.',
      remedy: `Use the settings of the server. To keep data in ${place.path} from now on, write ${id} into ${toMarkerFile(place)}.`,
    },
    place.path,
  );
}

function toForeign(place: MarkedFolder, id: string): Finding {
  return diagnose(
    {
      kind: 'foreign-marker',
      found: `${toMarkerFile(place)} is that of another site.`,
      meaning: 'Database and files do not belong together; the server refuses to start.',
      remedy: `Mount the folder that belongs to this database, or correct the settings. If they belong together, write ${id} into the file.`,
    },
    place.path,
  );
}

/** Whether a place without a marker has something that only that of this site has. */
export async function isProbablyRight(site: Site, place: MarkedPlace): Promise<boolean> {
  if (place.folder === 'data') {
    return (await readdir(place.path)).includes('secrets') || site.settings.database.kind === 'sqlite';
  }
  const { db } = await site.openDatabase();
  const storage = await site.openStorage();
  const sounds = await own(db)
    .selectFrom('sounds')
    .select('audio_key')
    .orderBy('seq', 'desc')
    .limit(10)
    .execute();
  for (const { audio_key } of sounds) if (await storage.has(toSoundKey(audio_key))) return true;
  return false;
}

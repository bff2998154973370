import { stat } from 'node:fs/promises';
import { BackupRefused } from '../format.ts';
import { ERASURES_BYTES_MAX, countErasuresSince, listUnsavedErasures, measureErasures } from '../erasures.ts';
import { listPlaces } from '../places.ts';
import type { BackupPlace } from '../places.ts';
import { Tally, countOf, diagnose } from '../../doctor/check.ts';
import type { Check, Finding, Site } from '../../doctor/check.ts';

/** `erasures.json` beside the scheduled backups (decision 152). Whether the folder is there is for the check `backups`. */
export const erasureList: Check = {
  name: 'list of erasures',
  priority: 'warning',
  stage: 'rows',
  consoleText: null,
  async run(site) {
    return [...(await examineFolder(site)), ...(await examineOthers(site))];
  },
};

async function examineFolder({ settings: { backups }, clock, openDatabase }: Site): Promise<Finding[]> {
  if (backups === null || (await stat(backups.folder).catch(() => undefined)) === undefined) return [];
  const { folder } = backups;
  if ((await measureErasures(folder)) > ERASURES_BYTES_MAX) return [diagnose(LARGE, folder)];
  const unsaved = new Tally();
  try {
    const database = await openDatabase();
    for (const id of await listUnsavedErasures({ database, clock }, folder)) unsaved.add(id);
  } catch (error) {
    if (error instanceof BackupRefused) return [toUnreadable(error, folder)];
    throw error;
  }
  return unsaved.diagnose(UNSAVED);
}

/** By the reports of the machines that have the folders. */
async function examineOthers({ settings, clock, openDatabase }: Site): Promise<Finding[]> {
  const deps = { database: await openDatabase(), clock };
  const findings: Finding[] = [];
  for (const place of await listPlaces(deps, settings)) {
    if (place.isHere || place.folder === null) continue;
    const count = await countErasuresSince(deps, place.erasures.atMs);
    if (count > 0) findings.push(toLate(place, count));
  }
  return findings;
}

function toLate({ host, folder, erasures: { fault } }: BackupPlace, count: number): Finding {
  const remedy =
    fault === null
      ? `Start the server on ${host}; if it is running, look into its log.`
      : `Remove the cause on ${host}, whose server tries again every hour: ${fault}`;
  return {
    ...UNSAVED,
    kind: 'elsewhere-unsaved',
    count,
    examples: [`${host} (${folder})`],
    found: `${UNSAVED.found(count).slice(0, -1)} of ${host} (${folder}).`,
    remedy,
  };
}

function toUnreadable({ message }: BackupRefused, folder: string): Finding {
  return diagnose(
    {
      kind: 'unreadable',
      found: `${message}.`,
      meaning: 'A restore stops, and what is erased from now on is not in the list.',
      remedy:
        'Replace erasures.json by a copy, or delete it: the server writes what its own table has within the hour.',
    },
    folder,
  );
}

const LARGE = {
  kind: 'large',
  found: `erasures.json is larger than ${ERASURES_BYTES_MAX / 1024 / 1024} MiB.`,
  meaning: 'A restore reads it as a whole. So many erasures in 400 days are no normal use.',
  remedy: 'Look into the file, and delete old backups: entries stay as long as the oldest backup.',
};
const UNSAVED = {
  kind: 'unsaved',
  found: (count: number) =>
    `${countOf(count, 'erasure')} of more than two hours ago ${count === 1 ? 'is' : 'are'} not in erasures.json.`,
  meaning: 'Restoring an older backup would bring back what was erased.',
  remedy: 'Start the server, which writes the list once an hour; if it is running, look into its log.',
};

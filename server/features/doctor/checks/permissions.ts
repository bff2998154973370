import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isExposed, removeAccessOfOthers } from '../../../platform/storage/private-files.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, DoctorSettings } from '../check.ts';

/** Secrets are few; another folder that was mounted here must not take long. */
const FILES_MAX = 1_000;

export const permissions: Check = {
  name: 'permissions',
  priority: 'warning',
  stage: 'quick',
  consoleText: 'ほかの人が読めるファイルがあります',
  async run({ settings }) {
    const tally = new Tally();
    const exposed: string[] = [];
    for (const path of await listPrivate(settings)) {
      if (!isOpen(path)) continue;
      exposed.push(path);
      tally.add(path);
    }
    return tally.diagnose({
      kind: 'exposed',
      found: (count) => `Other users of this machine can access ${countOf(count, 'private path')}.`,
      meaning: 'They could read the data of members, or log in as any of them with the secrets.',
      remedy:
        'Remove their permissions with chmod (--fix does it). If others may have read secrets, replace those.',
      async fix() {
        const refused = exposed.filter((path) => removeAccessOfOthers(path) !== undefined);
        return `changed ${countOf(exposed.length - refused.length, 'path')}, ${refused.length} refused`;
      },
    });
  },
};

/** The data folder, the database, the secrets, and the private keys of IDs if they are on this machine. */
async function listPrivate({ dataDir, database, personalInfoKeyFile }: DoctorSettings): Promise<string[]> {
  const secrets = join(dataDir, 'secrets');
  const names = await readdir(secrets).catch(() => []);
  return [
    dataDir,
    ...(database.kind === 'sqlite' ? ['', '-wal', '-shm'].map((end) => database.file + end) : []),
    secrets,
    ...names.slice(0, FILES_MAX).map((name) => join(secrets, name)),
    personalInfoKeyFile,
  ];
}

/** A missing path is not exposed. */
function isOpen(path: string): boolean {
  try {
    return isExposed(path);
  } catch {
    return false;
  }
}

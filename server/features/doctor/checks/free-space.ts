import { statfs } from 'node:fs/promises';
import { LOW_BYTES, RESERVE_BYTES } from '../../../platform/storage/disk-space.ts';
import { diagnose } from '../check.ts';
import type { Check, Finding, Site } from '../check.ts';

const MIB = 1024 ** 2;
/** Each sound or picture is a file of its own. */
const FILES_MIN = 1_000;

export const freeSpace: Check = {
  name: 'free space',
  priority: 'warning',
  stage: 'first',
  consoleText: 'ディスクの空きが足りません',
  async run(site) {
    const { dataDir, storage } = site.settings;
    const folders = storage.kind === 'folder' ? [dataDir, storage.path] : [dataDir];
    const findings = new Map<string, Finding>();
    for (const folder of folders) {
      for (const finding of await examine(site, folder)) findings.set(finding.kind, finding);
    }
    return [...findings.values()];
  },
};

async function examine({ measureFree }: Site, folder: string): Promise<Finding[]> {
  const disk = await statfs(folder).catch(() => undefined);
  if (disk === undefined) return []; // The check of the folders reports a missing one.
  const findings: Finding[] = [];
  const measured = disk.blocks === 0 ? Infinity : disk.bavail * disk.bsize;
  const freeBytes = measureFree === undefined ? measured : await measureFree(folder);
  if (freeBytes < RESERVE_BYTES) {
    findings.push(
      diagnose(
        {
          kind: 'little-space',
          found: `${Math.floor(freeBytes / MIB)} MiB are free on the disk of ${folder}.`,
          meaning: `Below ${RESERVE_BYTES / MIB} MiB uploads are refused; below ${LOW_BYTES / MIB} MiB the server is not ready.`,
          remedy: 'Free space or enlarge the disk.',
        },
        folder,
      ),
    );
  }
  // Some file systems have no fixed number of files and report 0.
  if (disk.files > 0 && disk.ffree < FILES_MIN) {
    findings.push(
      diagnose(
        {
          kind: 'few-inodes',
          found: `The disk of ${folder} has room for ${disk.ffree} more files.`,
          meaning: 'Every sound and picture is a file; soon nothing can be uploaded.',
          remedy: 'Delete unneeded files on this disk, or use a file system with more inodes.',
        },
        folder,
      ),
    );
  }
  return findings;
}

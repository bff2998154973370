import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../log.ts';
import { makeFolderNow, syncFolderNow } from '../synced-files.ts';

/** The permissions of users who are neither the owner nor in the group. */
const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;

/** Creates the folder if it is missing, and removes other users' access to it and to the given files in it. */
export function restrictAccess(folder: string, files: readonly string[], log: Pick<Log, 'warn'>): void {
  makeFolderNow(folder, 0o700);
  for (const path of [folder, ...files]) {
    const refusal = removeAccessOfOthers(path);
    if (refusal !== undefined)
      log.warn({ path, refusal }, 'other users can access this path, and its permissions cannot be changed');
  }
}

/** Creates a file that only its owner can read, unless it exists. Atomic: the file is complete or absent, and on the disk when this returns. */
export function makeOnce(path: string, content: string): void {
  makeFolderNow(dirname(path), 0o700);
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // Also if another process has created it: this one will rely on it.
  syncFolderNow(dirname(path));
}

/**
 * Whether users other than the owner can access a path. A group other than that of this process was chosen by the
 * operator, for backups for example, and does not count. Throws for a missing path.
 */
export function isExposed(path: string): boolean {
  const { mode, gid } = statSync(path);
  return (mode & toUnwanted(gid)) !== 0;
}

/** Returns the error code if the permissions cannot be changed. A missing path is no error. */
export function removeAccessOfOthers(path: string): string | undefined {
  try {
    const { mode, gid } = statSync(path);
    const permissions = mode & 0o7777;
    const wanted = permissions & ~toUnwanted(gid);
    if (wanted !== permissions) chmodSync(path, wanted);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : (code ?? String(error));
  }
}

function toUnwanted(gid: number): number {
  return gid === process.getgid?.() ? GROUP_AND_OTHERS : OTHERS;
}

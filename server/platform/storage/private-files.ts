import { chmodSync, mkdirSync, statSync } from 'node:fs';
import type { Log } from '../log.ts';

/** The permissions of users who are neither the owner nor in the group. */
const OTHERS = 0o007;
const GROUP_AND_OTHERS = 0o077;

/** Creates the folder if it is missing, and removes other users' access to it and to the given files in it. */
export function restrictAccess(folder: string, files: readonly string[], log: Pick<Log, 'warn'>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [folder, ...files]) {
    const refusal = removeAccessOfOthers(path);
    if (refusal !== undefined)
      log.warn({ path, refusal }, 'other users can access this path, and its permissions cannot be changed');
  }
}

/**
 * A group other than that of this process was chosen by the operator, for backups for example: its permissions are
 * kept. Returns the error code if the permissions cannot be changed.
 */
function removeAccessOfOthers(path: string): string | undefined {
  try {
    const { mode, gid } = statSync(path);
    const isForeignGroup = gid !== process.getgid?.();
    const permissions = mode & 0o7777;
    const wanted = permissions & ~(isForeignGroup ? OTHERS : GROUP_AND_OTHERS);
    if (wanted !== permissions) chmodSync(path, wanted);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : (code ?? String(error));
  }
}

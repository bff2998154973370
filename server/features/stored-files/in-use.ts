import type { FileOwner } from './owners.ts';
import { selectColumns, toFiles } from './rows.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Which of the keys, at most some hundred, a row refers to in any state. Includes files whose row waits for them to be
 * stored or deleted. Undefined for a key outside of the folders of this program.
 */
export async function findReferenced(
  db: Handle,
  owners: readonly FileOwner[],
  keys: readonly string[],
): Promise<(key: string) => boolean | undefined> {
  const used = new Map<string, Set<string>>();
  for (const owner of owners) {
    for (const file of owner.columns) {
      const {
        folder: { name: folder },
        column,
        foundBy = column,
        toFound = String,
      } = file;
      const names = used.get(folder) ?? new Set();
      used.set(folder, names);
      const asked = keys.map(split).filter((key) => key.folder === folder);
      if (asked.length === 0) continue;
      const rows = await selectColumns(db, owner, [column])
        .where(foundBy, 'in', [...new Set(asked.map(({ name }) => toFound(name)))])
        .execute();
      for (const { key } of rows.flatMap((row) => toFiles(owner, file, row))) names.add(split(key).name);
    }
  }
  return (key) => {
    const { folder, name } = split(key);
    return used.get(folder)?.has(name);
  };
}

function split(key: string): { readonly folder: string; readonly name: string } {
  const [folder = '', name = ''] = key.split('/');
  return { folder, name };
}

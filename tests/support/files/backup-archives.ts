import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { toSumsLine } from '#server/features/backups/manifest.ts';
import { createTarWriter } from '#server/features/backups/tar.ts';

const MANIFEST = {
  format: 1,
  id: '01234567-89ab-cdef-0123-456789abcdef',
  siteName: 'おといち',
  version: '1.3.0',
  dialect: 'sqlite',
  migrations: ['001'],
  counts: { users: 2 },
  takenAtMs: 1,
  withKeys: false,
};

/** The texts of a backup, by the names of its entries. */
export const BACKUP_TEXTS = {
  'manifest.json': JSON.stringify(MANIFEST),
  'data/files/a': 'abc',
  'summary.json': JSON.stringify({ files: 1, bytes: 3, missing: [], deletedMeanwhile: [] }),
};

/** The path of an archive of these entries and their hashes, which `sums` replaces. */
export async function makeArchive(
  folder: string,
  entries: Readonly<Record<string, string>>,
  sums?: string,
): Promise<string> {
  const scratch = await mkdtemp(join(folder, 'archive-'));
  const file = join(scratch, 'made.tar');
  const writer = await createTarWriter(file, scratch);
  const add = async (name: string, text: string) => {
    const content = Buffer.from(text);
    await writer.add(name, content.byteLength, Readable.from([content]), new Date(0));
    return toSumsLine(name, createHash('sha256').update(content).digest('hex'));
  };
  let lines = '';
  for (const [name, text] of Object.entries(entries)) lines += await add(name, text);
  await add('SHA256SUMS', sums ?? lines);
  await writer.finish();
  return file;
}

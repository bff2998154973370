import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupRefused } from '#server/features/backups/format.ts';
import { parseManifest, parseSummary, parseSums, toSumsLine } from '#server/features/backups/manifest.ts';
import { DamagedBackup, checkEntries, readManifest } from '#server/features/backups/read.ts';
import { openTar } from '#server/features/backups/tar.ts';
import { BACKUP_TEXTS, makeArchive } from '#support/files/backup-archives.ts';
import { type Target, toTokens } from '#support/fuzzing/target.ts';

const BLOCK_BYTES = 512;
const CHECKSUM_AT = 148;

/** A folder for the file that is read. The thread that made it removes it. */
const folder = mkdtempSync(join(tmpdir(), 'otoichi-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Both ways to read: the first entry alone, and everything. */
async function readArchive(input: Buffer): Promise<void> {
  const file = join(folder, 'read.tar');
  writeFileSync(file, input);
  let refusal: unknown;
  for (const read of [readManifest, checkEntries]) {
    await read(openTar(file)).catch((error: unknown) => {
      if (!(error instanceof BackupRefused || error instanceof DamagedBackup)) throw error;
      refusal = error;
    });
  }
  if (refusal !== undefined) throw refusal;
}

/** Sets the checksum of each header, as far as their sizes lead. */
function repairHeaders(input: Buffer): Buffer {
  for (let at = 0; at + BLOCK_BYTES <= input.byteLength;) {
    const header = input.subarray(at, at + BLOCK_BYTES);
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8) || 0;
    if (header.some((byte) => byte !== 0)) {
      header.fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
      const sum = header.reduce((total, byte) => total + byte, 0);
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT, 'latin1');
    }
    at += BLOCK_BYTES + Math.ceil(Math.max(0, size) / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return input;
}

export const TARGETS: readonly Target[] = [
  {
    name: 'archives of backups',
    files: ['/backups/tar.ts', '/backups/read.ts', '/tar-stream/extract.js', '/tar-stream/headers.js'],
    seeds: async () => [
      await readFile(await makeArchive(folder, BACKUP_TEXTS)),
      await readFile(await makeArchive(folder, { [`data/${'x'.repeat(90)}/${'雨'.repeat(40)}`]: 'abc' })),
    ],
    tokens: [
      ...toTokens(
        'ustar\x0000 manifest.json SHA256SUMS 0 5 L K x g 00000000003\0 77777777777\0 \xff \0 .. /',
      ),
      'ustar  \0',
      '30 path=../x\n',
      '18 size=99999999\n',
      '\x80\0\0\0\0\0\0\xff',
    ],
    bytesMax: 64 * 1024,
    read: readArchive,
    isRefusal: (error) => error instanceof BackupRefused || error instanceof DamagedBackup,
    repair: repairHeaders,
  },
  {
    name: 'lists in backups',
    files: ['/backups/manifest.ts'],
    seeds: () =>
      [...Object.values(BACKUP_TEXTS), toSumsLine('data/a', '0'.repeat(64))].map((text) => Buffer.from(text)),
    tokens: [
      ...toTokens('{ } [ ] " , : null 1 1e999 "format" "__proto__" "id" "counts" "sqlite" "missing" \n ../'),
      '  ',
      '0'.repeat(64),
    ],
    bytesMax: 64 * 1024,
    read: (input) => {
      const text = input.toString();
      const readers = [parseManifest, parseSummary, parseSums];
      const errors = readers.flatMap((read) => {
        try {
          read(text);
          return [];
        } catch (error) {
          return [error];
        }
      });
      const [error] = errors.toSorted((one, other) => Number(isSentence(one)) - Number(isSentence(other)));
      if (errors.length === readers.length || !isSentence(error ?? new Error(''))) throw error;
    },
    isRefusal: isSentence,
  },
];

/** A message for the operator, and no error of the language. */
function isSentence(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

import { cp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { basename, join } from 'node:path';
import type { CopyState } from '#server/features/backups/bucket/schedule.ts';
import { listBackups, toBackupName } from '#server/features/backups/pool.ts';
import { recordDrill, recordFailure } from '#server/features/backups/status.ts';
import { toPublicKeyLine } from '#server/platform/crypto/sealed-keys.ts';
import { makeOlder } from '../doctor.ts';
import type { RichSite } from '../rich-site.ts';
import type { Damage } from './damage.ts';
import { alter } from './files.ts';
import { insertRow, insertMany, updateRows } from '#support/databases/databases.ts';

const toFolder = ({ env }: RichSite) => env['BACKUP_DIR'] ?? '';

const toErasures = (site: RichSite) => join(toFolder(site), 'erasures.json');

/** What is left of an archive of this many bytes. */
async function cut(site: RichSite, toBytes: (size: number) => number): Promise<void> {
  const archive = join(toFolder(site), 'own.tar');
  await truncate(archive, toBytes((await stat(archive)).size));
  await makeOlder(archive, 1);
}

/** `makeHealthySite` has recorded one that was made by command. */
const forgetBackups = ({ env }: RichSite) => rm(join(env.DATA_DIR, 'backup-status.json'));

async function findLatest(site: RichSite): Promise<string> {
  return join(toFolder(site), (await listBackups(toFolder(site))).at(-1) ?? '');
}

/** Sets the bucket for copies; the last one was sent some days ago. */
async function plantCopies(site: RichSite, ageDays: number, failing: CopyState['failing'] = null) {
  const { publicKey } = generateKeyPairSync('x25519');
  site.env['BACKUP_URL'] = 's3://key:secret@127.0.0.1:1/copies?tls=off';
  site.env['BACKUP_PUBLIC_KEY'] = toPublicKeyLine(publicKey);
  const last = { name: basename(await findLatest(site)), atMs: Date.now() - ageDays * 86_400_000 };
  await writeFile(
    join(toFolder(site), 'bucket-copies.json'),
    JSON.stringify({ last, failing } satisfies CopyState),
  );
}

async function findObject(site: RichSite): Promise<string> {
  const objects = join(toFolder(site), 'objects');
  const [first = ''] = await readdir(objects);
  const [name = ''] = await readdir(join(objects, first));
  return join(objects, first, name);
}

const HOUR_MS = 3_600_000;

/** What another machine reported `hoursAgo`, with its list of erasures. */
async function report({ database }: RichSite, hoursAgo: number, state: object = {}): Promise<void> {
  const atMs = Date.now() - hoursAgo * HOUR_MS;
  const none = { lastBackup: { atMs, path: '/mnt/a', bytes: 1 }, lastVerified: null, failing: null };
  const row = { host: 'other', folder: '/mnt', every_hours: 24, erasures_at: atMs, seen_at: atMs };
  await insertRow(database, 'backup_places', { ...row, state: JSON.stringify({ ...none, ...state }) });
}

export const BACKUP_DAMAGES: readonly Damage[] = [
  {
    name: '`BACKUP_DIR` is not set, and no backup was made by command',
    async plant(site) {
      delete site.env['BACKUP_DIR'];
      await forgetBackups(site);
    },
    finds: { backups: ['none'] },
  },
  {
    name: '`BACKUP_DIR` is not mounted',
    plant: (site) => rename(toFolder(site), join(site.root, 'elsewhere')),
    finds: { backups: ['no-folder'] },
  },
  {
    name: '`BACKUP_DIR` is written too rarely',
    async plant(site) {
      await rm(join(toFolder(site), 'backup-status.json'));
      await forgetBackups(site);
    },
    finds: { backups: ['overdue'] },
  },
  {
    name: 'the last backup failed',
    async plant({ settings }) {
      await recordFailure(settings.dataDir, settings.backups, 'disk full', Date.now());
    },
    finds: { backups: ['failing'] },
  },
  {
    name: 'the backups of another machine fail',
    plant: (site) => report(site, 0, { failing: { sinceMs: Date.now(), message: 'disk full' } }),
    finds: { backups: ['elsewhere-failing'] },
  },
  {
    name: 'the only machine with `BACKUP_DIR` has stopped',
    async plant(site) {
      delete site.env['BACKUP_DIR'];
      await forgetBackups(site);
      await report(site, 4);
    },
    finds: { backups: ['silent'] },
  },
  {
    name: 'the last drill failed',
    async plant({ settings }) {
      const drill = { atMs: Date.now(), path: '/a', tookMs: 1, fault: 'disk full' };
      await recordDrill(settings.dataDir, settings.backups, drill);
    },
    finds: { backups: ['drill'] },
  },
  {
    name: 'a backup is dated 60 days ahead',
    plant: async (site) =>
      cp(await findLatest(site), join(toFolder(site), toBackupName(Date.now() + 60 * 86_400_000)), {
        recursive: true,
      }),
    finds: { backups: ['future'] },
  },
  {
    name: 'the last copy in the bucket failed',
    plant: (site) => plantCopies(site, 0, { sinceMs: Date.now(), message: 'the storage answered 403' }),
    finds: { 'backup copies': ['failing'] },
  },
  {
    name: 'the last copy in the bucket is three days old',
    plant: (site) => plantCopies(site, 3),
    finds: { 'backup copies': ['overdue'] },
  },
  {
    name: 'an archive lacks its end marker',
    plant: (site) => cut(site, (size) => size - 1_024),
    finds: { backups: ['cut-off'] },
  },
  {
    name: 'an archive is cut off in the middle',
    // The database has kilobytes of zeros there.
    plant: (site) => cut(site, (size) => size - 20_480),
    finds: { backups: ['cut-off'] },
  },
  {
    name: 'the latest backup loses its list of files',
    plant: async (site) => rm(join(await findLatest(site), 'SHA256SUMS')),
    finds: { backups: ['cut-off'] },
  },
  {
    name: 'the list of files of the latest backup is cut off',
    plant: async (site) => truncate(join(await findLatest(site), 'SHA256SUMS'), 100),
    finds: { backups: ['cut-off'] },
  },
  {
    name: 'the latest backup loses a file',
    plant: async (site) => rm(await findObject(site)),
    finds: { 'backup files': ['missing'] },
  },
  {
    name: 'the latest backup loses the copy of the database',
    plant: async (site) => rm(join(await findLatest(site), 'database'), { recursive: true }),
    finds: { 'backup files': ['missing'] },
  },
  {
    name: 'the list of erasures is cut off',
    plant: (site) => writeFile(toErasures(site), '{"accounts":{'),
    finds: { 'list of erasures': ['unreadable'] },
  },
  {
    name: 'the list of erasures lacks one of three hours ago',
    async plant(site) {
      const erased_at = Date.now() - 3 * 3_600_000;
      await writeFile(toErasures(site), JSON.stringify({ accounts: {}, sounds: { listed: erased_at } }));
      const rows = ['listed', 'forgotten'].map((id) => ({ id, kind: 'sound' as const, erased_at }));
      const fresh = { id: 'fresh', kind: 'account' as const, erased_at: Date.now() };
      await insertMany(site.database, 'erasures', [...rows, fresh]);
    },
    finds: { 'list of erasures': ['unsaved'] },
  },
  {
    name: 'the list of erasures of another machine lacks one of three hours ago',
    async plant(site) {
      const erased_at = Date.now() - 3 * HOUR_MS;
      await writeFile(toErasures(site), JSON.stringify({ accounts: {}, sounds: { listed: erased_at } }));
      await insertRow(site.database, 'erasures', { id: 'listed', kind: 'sound', erased_at });
      await report(site, 0);
      await updateRows(site.database, 'backup_places', {
        erasures_at: erased_at - HOUR_MS,
        erasures_fault: 'disk full',
      });
    },
    finds: { 'list of erasures': ['elsewhere-unsaved'] },
  },
  {
    name: 'the list of erasures has 65 MiB',
    async plant(site) {
      await writeFile(toErasures(site), '');
      await truncate(toErasures(site), 65 * 1024 * 1024);
    },
    finds: { 'list of erasures': ['large'] },
  },
  {
    name: 'a byte of a file of the latest backup changes',
    plant: async (site) => alter(await findObject(site)),
    finds: {},
    outOfReach: '`backup verify` reads backups, once a week or by command',
  },
];

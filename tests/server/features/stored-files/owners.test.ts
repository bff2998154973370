import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { toFolderClasses } from '#server/features/backups/folders.ts';
import { listReferencedFiles } from '#server/features/backups/references.ts';
import { missingFiles } from '#server/features/doctor/files/missing.ts';
import { findReferenced } from '#server/features/stored-files/in-use.ts';
import { toFolderPath } from '#server/platform/storage/folder.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { BOTH } from '../doctor/damages/damage.ts';
import { copyRichSite, prepareRichSite } from '../doctor/rich-site.ts';

const CLASSES = toFolderClasses(FILE_OWNERS);

const COLUMNS = FILE_OWNERS.flatMap(({ table, complete, columns }) =>
  columns.map((file) => ({
    ...file,
    folder: file.folder.name,
    table,
    name: `${table}.${file.column} ${file.folder.name}`,
    isMissed: complete !== 'none' && file.unchecked === undefined,
  })),
);

const HASH = 'c'.repeat(64);

/** A key of a file of each column on the site below. */
const KEYS: Readonly<Record<string, string>> = {
  'site_config.navbar_logo pictures': 'pictures/navbar_logo/240.webp',
  'site_config.navbar_sp_logo pictures': 'pictures/navbar_sp_logo/480.webp',
  'site_config.footer_logo pictures': 'pictures/footer_logo/240.webp',
  'site_config.footer_banner pictures': 'pictures/footer_banner/1200.webp',
  'notices.file_hash notices': `notices/notice/${HASH}`,
  'notices.captions_hash notices': 'notices/notice/captions_hash',
  'users.picture_key pictures': 'pictures/picture_key/96.webp',
  'users.background_key pictures': 'pictures/background_key/1440.webp',
  'personal_info_submissions.object_key personal-info': 'personal-info/waiting',
  'personal_info_submissions.object_key personal-info-keys': 'personal-info-keys/waiting',
  'quality_check_files.object_key quality-check': 'quality-check/application-1',
  'sounds.audio_key sounds': 'sounds/audio_key',
  'sounds.thumbnail_key pictures': 'pictures/thumbnail_key/640.webp',
  'unclaimed_files.file_key sounds': 'sounds/unclaimed',
  'unclaimed_files.file_key pictures': 'pictures/unclaimed/320.webp',
  'retired_pictures.picture_key pictures': 'pictures/retired/96.webp',
  'upload_pieces.id upload-pieces': 'upload-pieces/piece',
};

test('each folder that is backed up has an owner, and each owner a folder with a class', () => {
  const folders = new Set(COLUMNS.map(({ folder }) => `files/${folder}/`));
  const backedUp = Object.entries(CLASSES).filter(
    ([name, kind]) => kind === 'data' && /^files\/.*\/$/.test(name),
  );
  expect(backedUp.map(([name]) => name).filter((name) => !folders.has(name))).toEqual([]);
  expect([...folders].filter((folder) => !Object.hasOwn(CLASSES, folder))).toEqual([]);
});

test('what the doctor and a backup miss is in a folder that is backed up', () => {
  const missed = COLUMNS.filter(({ isMissed }) => isMissed);
  expect(missed.filter(({ folder }) => CLASSES[`files/${folder}/`] !== 'data')).toEqual([]);
});

describe.each(BOTH)('files of each owner on %s', (kind) => {
  const ends: (() => Promise<void>)[] = [];
  let prepared: Awaited<ReturnType<typeof prepareRichSite>>;
  beforeAll(async () => {
    prepared = await prepareRichSite(kind, (end) => ends.push(end));
    return async () => {
      for (const end of ends.toReversed()) await end();
    };
  });

  async function makeSite() {
    const site = await copyRichSite(prepared, onTestFinished);
    onTestFinished(site.database.close);
    const set = (table: string, ...columns: string[]) =>
      `update ${table} set ${columns.map((column) => `${column} = '${column}'`).join(', ')}`;
    await site.run(
      'insert into site_config (id) values (1)',
      set('site_config', 'navbar_logo', 'navbar_sp_logo', 'footer_logo', 'footer_banner'),
      `update notices set file_hash = '${HASH}', captions_hash = 'captions_hash', captions_size = 1`,
      set('users', 'picture_key', 'background_key'),
      set('sounds', 'audio_key', 'thumbnail_key'),
      `insert into unclaimed_files values ('unclaimed', 'sound', 'incoming', 0)`,
      `insert into retired_pictures values ('retired', 'avatar', 0)`,
      `insert into upload_pieces values ('piece', 'upload', 0, null, 'incoming', 0)`,
    );
    return site;
  }

  test('are missed by the doctor and by a backup, unless their row waits for them', async () => {
    const { database, settings } = await makeSite();
    const sought = new Set<string>();
    await missingFiles.run({
      settings,
      files: FILE_OWNERS,
      clock: { now: () => Date.now() },
      nodeVersion: '24',
      openDatabase: () => Promise.resolve(database),
      openStorage: () =>
        Promise.resolve({
          find: (key: string) => Promise.resolve(void sought.add(key)),
        } as unknown as Storage),
    });
    const backedUp = new Set(await Array.fromAsync(listReferencedFiles(database.db, FILE_OWNERS)));
    const found = COLUMNS.map(({ name }) => {
      const key = KEYS[name] ?? '';
      return { name, doctor: sought.has(key), backup: backedUp.has(`files/${toFolderPath(key)}`) };
    });
    expect(found).toEqual(
      COLUMNS.map(({ name, isMissed }) => ({ name, doctor: isMissed, backup: isMissed })),
    );
    // Nothing else is sought, and both look for the same.
    expect(backedUp).toEqual(new Set([...sought].map((key) => `files/${toFolderPath(key)}`)));
  });

  test('are not expected of a row that is not complete, and are in use', async () => {
    const site = await makeSite();
    await site.run(
      `update notices set state = 'removed'`,
      `update personal_info_submissions set state = 'incoming'`,
      `update quality_checks set state = 'incoming'`,
    );
    const expected = await Array.fromAsync(listReferencedFiles(site.database.db, FILE_OWNERS));
    expect(expected.filter((name) => !/^files\/(?:sounds|pictures)\//.test(name))).toEqual([]);
    const keys = Object.values(KEYS);
    const isReferenced = await findReferenced(site.database.db, FILE_OWNERS, [
      ...keys,
      'sounds/other',
      'elsewhere/a',
    ]);
    expect(keys.filter((key) => isReferenced(key) !== true)).toEqual([]);
    expect([isReferenced('sounds/other'), isReferenced('elsewhere/a')]).toEqual([false, undefined]);
  });

  test('are not in use once their row has let them go', async () => {
    const { database, run } = await makeSite();
    await run(
      `update personal_info_submissions set state = 'rejected', decided_at = 1, object_key = null`,
      `update quality_check_files set object_key = null`,
      'delete from retired_pictures',
      `update users set background_key = null`,
    );
    const gone = [
      'personal-info/waiting',
      'personal-info-keys/waiting',
      'quality-check/application-1',
      'pictures/retired/96.webp',
      'pictures/background_key/1440.webp',
    ];
    const isReferenced = await findReferenced(database.db, FILE_OWNERS, gone);
    expect(gone.map(isReferenced)).toEqual(gone.map(() => false));
  });

  test('include the image of a waiting ID whose key was lost', async () => {
    const { database, run } = await makeSite();
    await run('update personal_info_submissions set object_key = null');
    expect(await Array.fromAsync(listReferencedFiles(database.db, FILE_OWNERS))).toContain(
      `files/${toFolderPath('personal-info/waiting')}`,
    );
  });
});

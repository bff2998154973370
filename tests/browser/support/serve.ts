/**
 * A marketplace with the test catalogue, as its own process: `node serve.ts`; ends on SIGTERM. `SITE_FOLDER` names
 * a data folder that stays when the process ends, so that the same site can be started again. `DAYS_AGO` sets its
 * clock back by that many days.
 */
process.env['NODE_ENV'] = 'production';

const { mkdtemp, readdir, rm } = await import('node:fs/promises');
const { tmpdir } = await import('node:os');
const { dirname, join } = await import('node:path');
const { parseSettings } = await import('../../../server/settings.ts');
const { openDatabase } = await import('../../../server/platform/database/open.ts');
const { systemClock } = await import('../../../server/platform/concurrency/clock.ts');
const { openStorage } = await import('../../../server/platform/storage/open.ts');
const { startServer } = await import('../../../server/main.ts');
const { setSiteConfig } = await import('../../../server/features/site/service.ts');
const { seedCatalogue } = await import('./catalogue.ts');

const keptFolder = process.env['SITE_FOLDER'];
const dataDir = keptFolder ?? (await mkdtemp(join(tmpdir(), 'browser-tests-')));
const isFresh = (await readdir(dataDir)).length === 0;
const agoMs = Number(process.env['DAYS_AGO'] ?? 0) * 86_400_000;
if (agoMs > 0) Object.assign(systemClock, { now: () => Date.now() - agoMs });
const settings = parseSettings({
  ...process.env,
  PORT: process.env['PORT'] ?? '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
});
if (settings.apiOrigin === null && isFresh) {
  const database = await openDatabase(settings.database);
  const storage = await openStorage(settings.storage);
  await seedCatalogue({ database, storage }, Number(process.env['MORE_SOUNDS'] ?? 0));
  if (process.env['ALLOW_REGISTER'] === 'false') await setSiteConfig(database, { allow_register: false });
  if (process.env['MAINTENANCE_MODE'] === 'true') await setSiteConfig(database, { maintenance_mode: true });
  await database.close();
}
const server = await startServer(settings);
console.log(`data ${dataDir}`);
console.log(`ready ${server.url}`);
process.once('SIGTERM', () => {
  void server
    .close()
    .then(async () => {
      const folders = [dataDir, dirname(settings.personalInfoKeyFile)];
      for (const made of keptFolder === undefined ? folders : [])
        await rm(made, { recursive: true, force: true });
    })
    .then(() => process.exit(0));
});

export {};

/**
 * A marketplace with the test catalogue, as a separate process: `node serve.ts`; ends on SIGTERM, and with the process
 * that started it, which closes its standard input. `SITE_TEMPLATE` is
 * the data folder that a new site copies. `SITE_FOLDER` is a data folder that is kept when the
 * process ends, so that the same site can be started again. `DAYS_AGO` sets its clock back by that many days.
 */
process.env['NODE_ENV'] = 'production';

const { cp, mkdtemp, readdir, rm } = await import('node:fs/promises');
const { tmpdir } = await import('node:os');
const { dirname, join } = await import('node:path');
const { parseSettings } = await import('#server/settings.ts');
const { systemClock } = await import('#server/platform/concurrency/clock.ts');
const { startServer } = await import('#server/main.ts');
await import('./disturb.ts');

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
const template = process.env['SITE_TEMPLATE'];
if (settings.apiOrigin === null && isFresh && template !== undefined) {
  await cp(template, dataDir, { recursive: true });
  const change = {
    ...(process.env['ALLOW_REGISTER'] === 'false' && { allow_register: false }),
    ...(process.env['MAINTENANCE_MODE'] === 'true' && { maintenance_mode: true }),
  };
  const moreSounds = Number(process.env['MORE_SOUNDS'] ?? 0);
  if (moreSounds > 0 || Object.keys(change).length > 0) {
    const { openDatabase } = await import('#server/schema/open.ts');
    const { setSiteConfig } = await import('#server/features/site/service.ts');
    const { addPlainSounds } = await import('./catalogue.ts');
    const database = await openDatabase(settings.database);
    await addPlainSounds(database, moreSounds);
    await setSiteConfig(database, change);
    await database.close();
  }
}
const server = await startServer(settings);
console.log(`data ${dataDir}`);
console.log(`ready ${server.url}`);
process.stdin.resume().once('end', () => process.kill(process.pid, 'SIGTERM'));
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

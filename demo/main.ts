import '../server/check-node.mjs';
import type { Catalogue } from './catalogue.ts';

// Set before any import: React selects its build by it.
process.env['NODE_ENV'] = 'production';

const { rename, rm, writeFile } = await import('node:fs/promises');
const { existsSync } = await import('node:fs');
const { join } = await import('node:path');
const { parseSettings, SettingsError } = await import('../server/settings.ts');
const { OperatorError } = await import('../server/platform/operator-error.ts');
const { buildSite, isBuilt } = await import('../server/build.ts');
const { DEMO_PASSWORD, demoAccounts } = await import('./accounts.ts');

/** Marks a folder that the demo created and may delete. */
const MARKER = '.demo';

try {
  // The demo uses its own folder and database, regardless of the environment's settings for the real ones.
  const own = {
    DATABASE_URL: '',
    STORAGE_URL: '',
    SECRET_KEY: '',
    SECRET_KEY_PREVIOUS: '',
    PERSONAL_INFO_PUBLIC_KEY: '',
    PERSONAL_INFO_KEY_FILE: '',
    SMTP_URL: '',
    API_ORIGIN: '',
  };
  // A log line per request would scroll the address below out of view.
  const env = { LOG_LEVEL: 'warn', REWARD_YEN_PER_DOWNLOAD: '3', ...process.env, ...own };
  const settings = parseSettings({ ...env, DATA_DIR: process.env['DEMO_DATA_DIR'] || './demo-data' });
  const marker = join(settings.dataDir, MARKER);
  if (existsSync(settings.dataDir) && !existsSync(marker)) {
    throw new SettingsError([`DEMO_DATA_DIR=${settings.dataDir} is a folder that the demo did not make.`]);
  }
  if (process.argv.includes('--fresh')) await rm(settings.dataDir, { recursive: true, force: true });
  await Promise.all([makeOnce(settings.dataDir, env), buildWhenStale()]);

  const { runServer } = await import('../server/main.ts');
  const { url } = await runServer(settings, { detectsOwnDownloads: false });
  console.log(
    [
      '',
      `  ${settings.siteName} runs at ${url}`,
      '',
      `  Demo accounts, all with the password ${DEMO_PASSWORD}:`,
      ...demoAccounts.map(({ email, username }) => `    ${email.padEnd(28)}${username}`),
      '',
      `  Mails are written to ${join(settings.dataDir, 'outbox')}`,
      '',
      '  To see a reward, log out and download a sound that this browser has not had yet. In the demo this counts',
      '  even where its artist has logged in; on a real site it would be the artist’s own and earn nothing.',
      '',
      '  Ctrl+C stops it. "npm run demo -- --fresh" creates the catalogue again.',
      '',
    ].join('\n'),
  );
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
}

/** Builds the catalogue in a temporary folder and renames it when complete: an interrupted one is never used. */
async function makeOnce(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (existsSync(dataDir)) return;
  const { openDatabase } = await import('../server/schema/open.ts');
  const { openStorage } = await import('../server/platform/storage/open.ts');
  const { describeCatalogue } = await import('./catalogue.ts');
  const { SITE_NAME_DEFAULT } = await import('../contract/site/defaults.ts');
  const { seedDemo } = await import('./seed.ts');
  const making = `${dataDir}.making`;
  await rm(making, { recursive: true, force: true });
  const { readOrMakeSealingKey } = await import('../server/platform/crypto/sealed-keys.ts');
  const { toPublicKeyFile } = await import('../server/platform/crypto/secrets.ts');
  const { seedPersonalInfo } = await import('./personal-info.ts');
  const { seedQualityCheck } = await import('./quality-check.ts');
  const { seedNotices } = await import('./notices.ts');
  const { seedWaiting } = await import('./waiting.ts');
  const { seedUses } = await import('./uses.ts');
  const {
    database: location,
    storage: folder,
    siteName,
    siteUrl,
    operatorEmail,
  } = parseSettings({ ...env, DATA_DIR: making });
  // The private key does not move with the folder.
  const { personalInfoKeyFile: privateFile } = parseSettings({ ...env, DATA_DIR: dataDir });
  const publicFile = toPublicKeyFile(making);
  // The demo's logo shows the default name.
  const hasOwnName = siteName !== SITE_NAME_DEFAULT;
  const database = await openDatabase(location);
  const began = performance.now();
  try {
    const storage = await openStorage(folder);
    await seedDemo(
      { database, storage },
      tellProgress,
      hasOwnName ? withoutLogo(describeCatalogue()) : describeCatalogue(),
    );
    await seedPersonalInfo({
      database,
      storage,
      personalInfoKey: readOrMakeSealingKey({ publicFile, privateFile }),
    });
    await seedQualityCheck({ database, storage });
    await seedNotices({ database, storage }, making);
    await seedWaiting(database, { siteUrl: siteUrl ?? 'http://localhost', siteName, operatorEmail });
    await seedUses(database, { siteUrl: siteUrl ?? 'http://localhost', siteName, dataDir: making });
  } finally {
    await database.close();
  }
  await writeFile(
    join(making, MARKER),
    'Made by "npm run demo"; "npm run demo -- --fresh" deletes this folder.\n',
  );
  await rename(making, dataDir);
  console.log(`The demo catalogue was made in ${Math.round((performance.now() - began) / 1000)} s.`);
}

function withoutLogo(catalogue: Catalogue): Catalogue {
  return { ...catalogue, site: { ...catalogue.site, logo: null } };
}

function tellProgress(done: number, total: number): void {
  if (done % 20 === 0 || done === total) console.log(`Making the demo catalogue: ${done} of ${total} sounds`);
}

async function buildWhenStale(): Promise<void> {
  if (await isBuilt()) return;
  console.log('Building the pages …');
  await buildSite();
}

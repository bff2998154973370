import './check-node.mjs';

// Set before any import: React selects its build by it.
process.env['NODE_ENV'] = 'production';

const { parseSettings, SettingsError } = await import('./settings.ts');
const { buildSite, isBuilt } = await import('./build.ts');
const { isWorker, serveSite } = await import('./workers.ts');

/** Errors whose message says what to do. */
const EXPECTED = new Set([
  'BucketError',
  'DatabaseVersionError',
  'FolderMarkerError',
  'MissingKeyError',
  'PoolerSettingsError',
  'WorkerFailed',
]);

try {
  const settings = parseSettings(process.env);
  if (!isWorker && !(await isBuilt())) {
    console.log('The pages are not built, or not from these sources: building …');
    await buildSite();
  }
  const url = await serveSite(settings);
  if (url !== undefined) console.log(`${settings.siteName} listens on ${url}`);
} catch (error) {
  const isKnown = error instanceof SettingsError || (error instanceof Error && EXPECTED.has(error.name));
  console.error(isKnown ? error.message : error);
  process.exit(1);
}

import './check-node.mjs';

// Set before any import: React selects its build by it.
process.env['NODE_ENV'] = 'production';

const { parseSettings } = await import('./settings.ts');
const { OperatorError } = await import('./platform/operator-error.ts');
const { buildSite, isBuilt } = await import('./build.ts');
const { isWorker, serveSite } = await import('./workers.ts');

try {
  const settings = parseSettings(process.env);
  if (!isWorker && !(await isBuilt())) {
    console.log('The pages are not built, or not from these sources: building …');
    await buildSite();
  }
  const url = await serveSite(settings);
  if (url !== undefined) console.log(`${settings.siteName} listens on ${url}`);
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
}

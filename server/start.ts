import './check-node.mjs';

// Set before any import: React selects its build by it.
process.env['NODE_ENV'] = 'production';

const { parseSettings, SettingsError } = await import('./settings.ts');
const { buildSite, isBuilt } = await import('./build.ts');

try {
  const settings = parseSettings(process.env);
  if (!(await isBuilt())) {
    console.log('The pages are not built, or not from these sources: building …');
    await buildSite();
  }
  const { runServer } = await import('./main.ts');
  const { url } = await runServer(settings);
  console.log(`${settings.siteName} listens on ${url}`);
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}

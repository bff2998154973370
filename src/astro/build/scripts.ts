import { createHash } from 'node:crypto';
import type { AstroIntegration, CspHash } from 'astro';
import { type Plugin, build } from 'vite';
import manifest from '../../../package.json' with { type: 'json' };

const SRC = new URL('../../../src/', import.meta.url).pathname;

/** The oldest supported browsers, as the bundler names them: `ios17`. */
const BROWSERS = manifest.browserslist.map((query) => query.replace('ios_saf', 'ios').replace(' >= ', ''));

/**
 * Groups of modules. A few large scripts are better than many small ones, which cost a request each and compress worse.
 * A group includes the imports of its modules. The groups are React; the code of every page; the router; the code that
 * listings and the player need at once; the API client. Toasts, dialogs and forms load when needed (decision 078).
 */
const GROUPS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react)\//, priority: 3 },
  {
    name: 'shell',
    test: /\/src\/(scripts\/shell\/|astro\/islands|lib\/(fragments|islands)\.ts|browser\/page-cache)/,
    priority: 4,
  },
  {
    name: 'router',
    test: /node_modules\/astro\/(?!dist\/runtime\/server\/)|\/src\/navigation\//,
    priority: 4,
  },
  // A filter needs no API client.
  { name: 'filters', test: /\/lib\/sound-filters/, priority: 5 },
  // What the router and the API client share: neither brings the other.
  { name: 'failures', test: /\/lib\/failure-texts|\/calls\/read-retries/, priority: 5 },
  {
    name: 'state',
    test: /node_modules\/(nanostores|@nanostores\/persistent)\/|\/src\/(browser\/(extended-host|deferred)|islands\/overlays\/load|stores\/(favorites|overlays|player|session|shared\/member-atom))/,
    tags: ['$initial' as const],
    priority: 2,
  },
  { name: 'catalogue', test: /\/src\/scripts\/catalogue\//, tags: ['$initial' as const], priority: 3 },
  { name: 'sounds', test: /\/src\/islands\/(player\/PlayerBar|sounds\/card-islands)\.tsx$/, priority: 1 },
  // The bundler decides where to put modules that fewer than three entries share.
  {
    name: 'calls',
    // Not what only members, artists, staff and certificates use, however many of their pages share it.
    test: /node_modules\/(ofetch|valibot)\/|\/src\/(api|browser|lib)\/(?!address|clock|files\.ts|mailed-link|own-changes|stored-uploads|upload|picture-files|profile-fields|report-texts|fact-texts)|\/contract\/(?!operator|payouts)\w+\/(?!sound-columns|sound-findings|ads|audio-files|certificates|csv|file-names|fact-labels|donation|genres|months|my-sounds|own-data|plays|profile|sound-changes|statistics|use-addresses|uses)/,
    minShareCount: 3,
  },
];

/** The code of a chunk without code of its own; the last line is for src/browser/load-script.ts. */
const ONLY_AN_IMPORT = /^import\s*"[^"]*";\s*(?:\/\/.*)?\s*$/;

/**
 * The build of scripts for browsers. Where a group includes the script of a page, the bundler leaves an entry that only
 * imports the group; pages load the group itself, a request and a round trip earlier.
 */
export function browserScripts(): AstroIntegration {
  const targets = new Map<string, string>();
  return {
    name: 'browser-scripts',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [toPlugin(targets)] } });
      },
      'astro:build:ssr': ({ manifest: { entryModules } }) => {
        for (const [id, file] of Object.entries(entryModules)) entryModules[id] = targets.get(file) ?? file;
      },
    },
  };
}

/** Astro ignores most of these options in the configuration of the environment. `targets` receives what entries import. */
function toPlugin(targets: Map<string, string>): Plugin {
  const rolldownOptions = {
    output: {
      codeSplitting: { groups: GROUPS },
      entryFileNames: toFileName,
      chunkFileNames: toFileName,
      // For src/browser/load-script.ts.
      postFooter: ({ imports }: { imports: string[] }) => `\n//imports ${imports.join(' ')}`,
    },
    treeshake: {
      // Stores are never imported for side effects, so a folder's modules without used exports can be dropped.
      moduleSideEffects: [{ test: /\/src\/stores\//, sideEffects: false }],
      // Sonner's insertion of its style sheet into <head>; `src/styles/toasts.css` includes the sheet.
      manualPureFunctions: ['__insertCSS'],
    },
  };
  // Of the files that an import() loads, its helper gets the first one, which names the others.
  const modulePreload = { resolveDependencies: (file: string) => [file] };
  const helper = `export { loadScript as __vitePreload } from ${JSON.stringify(`${SRC}browser/load-script.ts`)};`;
  return {
    name: 'browser-scripts',
    enforce: 'pre',
    configEnvironment: (name) =>
      name === 'client' ? { build: { target: BROWSERS, modulePreload, rolldownOptions } } : undefined,
    // Every `import()` goes through `src/browser/load-script.ts`, with the file to load.
    load: (id) => (id === '\0vite/preload-helper.js' ? helper : undefined),
    generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return;
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk' || !ONLY_AN_IMPORT.test(output.code)) continue;
        targets.set(output.fileName, output.imports[0] ?? '');
      }
    },
  };
}

/** Short for scripts of .astro files, whose names have 50 characters otherwise and are repeated where they are imported. */
function toFileName({ name }: { name: string }): string {
  return `_astro/${name.includes('.astro') ? 'page' : name}.[hash].js`;
}

/**
 * Bundles files of src/scripts, each with what it imports, as small classic scripts, which pages inline: modules
 * `virtual:inline/NAME` for them, and the hashes for the policy.
 */
export async function inlineScripts(
  names: readonly string[],
): Promise<{ readonly plugin: Plugin; readonly hashes: CspHash[] }> {
  const scripts = new Map<string, string>();
  for (const name of names) scripts.set(`virtual:inline/${name}`, await bundleInline(name));
  const plugin: Plugin = {
    name: 'inline-scripts',
    resolveId: (source) => (scripts.has(source) ? `\0${source}` : undefined),
    load: (id) => {
      const script = scripts.get(id.slice(1));
      return script === undefined ? undefined : `export default ${JSON.stringify(script)};`;
    },
  };
  return { plugin, hashes: [...scripts.values()].map(toCspHash) };
}

async function bundleInline(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: BROWSERS,
      modulePreload: false,
      rolldownOptions: { input: `${SRC}scripts/${name}.ts`, output: { format: 'iife' } },
    },
  });
  const [script] = 'output' in built ? built.output : [];
  if (script?.type !== 'chunk') throw new Error(`${name} has no script`);
  return script.code.trim();
}

function toCspHash(script: string): CspHash {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/**
 * Allows only `scripts` in the policy; the layout adds its style sheets. Astro's own lists name 25 scripts and styles that
 * `islands` replaces, which no proxy compresses.
 */
export function hashesOf(scripts: readonly CspHash[]): AstroIntegration {
  return {
    name: 'hashes-of-scripts',
    hooks: {
      'astro:build:ssr': ({ manifest: { csp } }) => {
        if (csp === undefined) throw new Error('the pages have no policy');
        csp.scriptDirective.hashes = [...scripts];
        csp.styleDirective.hashes = [];
      },
    },
  };
}

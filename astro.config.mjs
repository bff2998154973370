import { createHash } from 'node:crypto';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { build } from 'vite';
import manifest from './package.json' with { type: 'json' };
import { nodeAdapter, ownEntry } from './server/web/astro/adapter.ts';
import { rememberStyleHashes } from './server/web/astro/style-hashes.ts';

/** The oldest supported browsers, as the bundler names them: `ios17`. */
const BROWSERS = manifest.browserslist.map((query) => query.replace('ios_saf', 'ios').replace(' >= ', ''));

const early = await readInlineScript('early');
const earlyIslands = await readInlineScript('early-islands');
const embed = await readInlineScript('embed');

/**
 * Groups of modules. A few large scripts are better than many small ones, which cost a request each and compress worse.
 * A group includes the imports of its modules. The groups are React; the code of every page; the code that listings and
 * the player need at once; the API client. Toasts, dialogs and forms load when needed
 * (decision 078).
 */
const SCRIPTS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react)\//, priority: 3 },
  { name: 'shell', test: /node_modules\/astro\/|\/src\/scripts\/shell\.ts$/, priority: 4 },
  {
    name: 'state',
    test: /node_modules\/(nanostores|@nanostores\/persistent)\/|\/src\/(islands\/overlays\/load|lib\/(extended-host|deferred)|stores\/(favorites|overlays|player|session|shared\/member-atom))/,
    tags: ['$initial'],
    priority: 2,
  },
  { name: 'catalogue', test: /\/src\/scripts\/catalogue\.ts$/, priority: 3 },
  { name: 'sounds', test: /\/src\/islands\/(player\/PlayerBar|sounds\/card-islands)\.tsx$/, priority: 1 },
  // The bundler decides where to put modules that fewer than three entries share.
  {
    name: 'calls',
    // Not what only members, artists and staff use, however many of their pages share it.
    test: /node_modules\/(ofetch|valibot)\/|\/src\/(api|lib)\/(?!upload|picture-files|profile-fields|report-texts)|\/contract\/(?!operator|sound-findings|ads|csv|donation|finance|months|own-data|profile|reports)/,
    minShareCount: 3,
  },
];

export default defineConfig({
  output: 'server',
  trailingSlash: 'ignore',
  // The process in server/ listens, serves files and caches; the adapter only renders pages.
  adapter: nodeAdapter,
  integrations: [
    ownEntry(),
    rememberStyleHashes(),
    reactWithBoundaries(),
    stylesOfAllPages(),
    {
      name: 'client-directives',
      hooks: {
        'astro:config:setup': ({ addClientDirective }) => {
          addClientDirective({ name: 'when', entrypoint: './src/scripts/client-when.ts' });
        },
      },
    },
  ],
  session: false,
  // Pages show pictures in the sizes that the host has made: no image service, and no endpoint that reads files.
  image: {
    service: passthroughImageService(),
    endpoint: { entrypoint: 'astro/assets/endpoint/generic' },
  },
  markdown: { syntaxHighlight: false },
  // Links are prefetched by src/scripts/prefetch.ts, with the delay that spec §9 names.
  prefetch: false,
  security: {
    csp: {
      algorithm: 'SHA-256',
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: { resources: ["'self'"], hashes: [toHash(early), toHash(earlyIslands)] },
      styleDirective: { resources: ["'self'"] },
    },
  },
  build: { inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  vite: {
    plugins: [
      tailwindcss(),
      virtualModule('virtual:early-script', early),
      virtualModule('virtual:early-islands', earlyIslands),
      virtualModule('virtual:embed-script', embed),
      guardedImports(),
      sonnerWithoutStyles(),
    ],
    build: { assetsInlineLimit: 0 },
    environments: {
      client: {
        build: {
          target: BROWSERS,
          rolldownOptions: {
            output: {
              codeSplitting: { groups: SCRIPTS },
              entryFileNames: toFileName,
              chunkFileNames: toFileName,
              // For src/lib/load-script.ts.
              postFooter: ({ imports }) => `\n//imports ${imports.join(' ')}`,
            },
            // Stores are never imported for side effects, so a folder's modules without used exports can be dropped.
            treeshake: { moduleSideEffects: [{ test: /\/src\/stores\//, sideEffects: false }] },
          },
        },
      },
    },
  },
});

/** React's integration with `src/islands/hydrate.tsx` as its client entry. */
function reactWithBoundaries() {
  const integration = react({ experimentalDisableStreaming: true });
  const setup = integration.hooks['astro:config:setup'];
  integration.hooks['astro:config:setup'] = (options) =>
    setup({
      ...options,
      addRenderer: (renderer) =>
        options.addRenderer({ ...renderer, clientEntrypoint: './src/islands/hydrate.tsx' }),
    });
  return integration;
}

/**
 * Allows the styles of every page on every page. Astro allows only a page's own, but the router brings the styles of
 * the next page into a document that keeps the policy of the first.
 */
function stylesOfAllPages() {
  return {
    name: 'styles-of-all-pages',
    hooks: {
      'astro:build:ssr': ({ manifest: { csp, routes } }) => {
        const sheets = routes.flatMap(({ styles }) => styles).filter(({ type }) => type === 'inline');
        const hashes = [...csp.styleDirective.hashes, ...sheets.map(({ content }) => toHash(content))];
        csp.styleDirective.hashes = [...new Set(hashes)];
      },
    },
  };
}

/** Short for scripts of .astro files, whose names have 50 characters otherwise and are repeated where they are imported. */
function toFileName({ name }) {
  return `_astro/${name.includes('.astro') ? 'page' : name}.[hash].js`;
}

/** Bundles a file of src/scripts and what it imports as a small classic script, to be inlined in pages. */
async function readInlineScript(name) {
  const input = new URL(`./src/scripts/${name}.ts`, import.meta.url).pathname;
  const rolldownOptions = { input, output: { format: 'iife' } };
  const { output } = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { write: false, target: BROWSERS, modulePreload: false, rolldownOptions },
  });
  return output[0].code.trim();
}

/** Sends every `import()` of browser scripts through `src/lib/load-script.ts`, with the file to load. */
function guardedImports() {
  const loader = new URL('./src/lib/load-script.ts', import.meta.url).pathname;
  return {
    name: 'guarded-imports',
    enforce: 'pre',
    configEnvironment: (name) =>
      name === 'client' ? { build: { modulePreload: { resolveDependencies: (file) => [file] } } } : undefined,
    load: (id) =>
      id === '\0vite/preload-helper.js'
        ? `export { loadScript as __vitePreload } from ${JSON.stringify(loader)};`
        : undefined,
  };
}

/** Removes the style sheet that sonner inserts into <head>; `src/styles/toasts.css` includes it. */
function sonnerWithoutStyles() {
  return {
    name: 'sonner-without-styles',
    transform(code, id) {
      if (!id.includes('/node_modules/sonner/dist/')) return undefined;
      const bare = code.replace(/^__insertCSS\("(?:[^"\\]|\\.)*"\);?$/m, '');
      if (bare === code) throw new Error('sonner no longer inserts its styles the way it did');
      return { code: bare, map: null };
    },
  };
}

/** @returns {`sha256-${string}`} */
function toHash(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function virtualModule(id, text) {
  return {
    name: id,
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(text)};` : undefined),
  };
}

import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { islands, nodeAdapter, ownEntry } from './src/astro/build/adapter.ts';
import { browserScripts, hashesOf, inlineScripts } from './src/astro/build/scripts.ts';

const early = await inlineScripts(['early', 'early-islands', 'announcements']);
const embed = await inlineScripts(['embed']);

export default defineConfig({
  output: 'server',
  trailingSlash: 'ignore',
  // The process in server/ listens, serves files and caches; the adapter only renders pages.
  adapter: nodeAdapter,
  integrations: [ownEntry(), islands(), hashesOf(early.hashes), browserScripts()],
  session: false,
  // Pages show pictures in the sizes that the host has made: no image service, and no endpoint that reads files.
  image: {
    service: passthroughImageService(),
    endpoint: { entrypoint: 'astro/assets/endpoint/generic' },
  },
  markdown: { syntaxHighlight: false },
  // Links are prefetched by src/scripts/shell/prefetch.ts, with the delay that spec §9 names.
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
      scriptDirective: { resources: ["'self'"] },
      styleDirective: { resources: ["'self'"] },
    },
  },
  build: { inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  vite: {
    plugins: [tailwindcss(), early.plugin, embed.plugin],
    // Of this library, Astro's runtime uses a few functions.
    ssr: { noExternal: ['zod'] },
    build: { assetsInlineLimit: 0 },
  },
});

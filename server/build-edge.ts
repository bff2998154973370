import { cp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { build } from 'vite';
import { toSecurityHeaders } from './web/security-headers.ts';
import { toStaticHeaders } from './web/static.ts';

/**
 * Bundles the built pages of `distDir` with `server/edge.ts` into `edge/entry.js`, one file without imports, and puts
 * the static files beside it in `edge/client`, with their headers in the format of Workers assets.
 */
export async function buildEdge(distDir: string, files: readonly string[]): Promise<void> {
  const outDir = join(distDir, 'edge');
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [usePages(join(distDir, 'server', 'entry.mjs'))],
    environments: { ssr: { keepProcessEnv: true } },
    ssr: {
      target: 'webworker',
      noExternal: true,
      resolve: { conditions: ['workerd', 'worker', 'browser', 'import', 'module', 'production', 'default'] },
    },
    build: {
      ssr: join(import.meta.dirname, 'edge.ts'),
      outDir,
      target: 'es2024',
      minify: true,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'entry.js' } },
    },
  });
  const imports = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const foreign = imports.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.imports : []));
  if (foreign.length > 0) throw new Error(`pages import what an edge runtime lacks: ${foreign.join(', ')}`);
  const clientDir = join(distDir, 'client');
  await cp(clientDir, join(outDir, 'client'), {
    recursive: true,
    filter: (path) => !/\.(?:br|gz)$/.test(path),
  });
  const paths = files
    .map((path) => `/${relative(clientDir, path)}`)
    .filter((path) => !path.startsWith('/_astro/'));
  await writeFile(join(outDir, 'client', '_headers'), ['/_astro/*', ...paths].map(toHeaderRule).join(''));
}

/** Replaces the source of the renderer with its build, which Node also uses. The build fails when nothing imports it. */
function usePages(entry: string): Plugin {
  let isUsed = false;
  return {
    name: 'use-built-pages',
    enforce: 'pre',
    resolveId(source) {
      if (!source.endsWith('/src/astro/build/entry.ts')) return undefined;
      isUsed = true;
      return entry;
    },
    buildEnd() {
      if (!isUsed) throw new Error('the edge entry does not import the built pages');
    },
  };
}

/** The headers of `server/web/static.ts`; `Strict-Transport-Security` comes with the pages. */
function toHeaderRule(path: string): string {
  const headers = [...toSecurityHeaders(''), ...toStaticHeaders(path)];
  const lines = headers
    .filter(([name]) => name !== 'content-type')
    .map(([name, value]) => `  ${name}: ${value}\n`);
  return `${path}\n${lines.join('')}`;
}

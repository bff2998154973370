import node from '@astrojs/node';
import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';

/** The Node adapter, which this one extends and whose name it keeps. */
export const nodeAdapter: AstroIntegration = node({ mode: 'middleware' });

/**
 * Makes the Node adapter build `dist/server/entry.mjs` from our own entry, which exports `render` and does not listen.
 * The adapter's own middleware passes no locals to error pages, ignores backpressure of slow readers, and takes its
 * address from the Host header; in this process `server/web` does all that (decision 003).
 */
export function ownEntry(): AstroIntegration {
  return {
    name: 'own-entry',
    hooks: {
      'astro:config:done': ({ setAdapter }) => {
        setAdapter({
          name: '@astrojs/node',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          adapterFeatures: { buildOutput: 'server', middlewareMode: 'classic' },
          supportedAstroFeatures: {
            serverOutput: 'stable',
            hybridOutput: 'stable',
            staticOutput: 'stable',
            sharpImageService: 'stable',
          },
        });
      },
    },
  };
}

/**
 * Modules of Astro that the build replaces by others. What it inlines in each page with an island comes with
 * `src/scripts/shell/shell.ts`; scripts are named, and load after the first paint (`src/scripts/early.ts`), the router
 * when someone turns to a link (`src/scripts/shell/router.ts`), and whose animations are off.
 */
const REPLACED: Readonly<Record<string, string>> = {
  '/astro/dist/runtime/server/scripts.js': `
    export const determineIfNeedsHydrationScript = () => false;
    export const determinesIfNeedsDirectiveScript = () => false;
    export const getPrescripts = () => '';`,
  '/astro/dist/runtime/server/render/script.js': `
    import { createRenderInstruction } from './instruction.js';
    export async function renderScript(result, id) {
      const type = id.includes('ClientRouter') ? 'router' : 'late';
      const content = '<script type="' + type + '" src="' + (await result.resolve(id)) + '"></script>';
      return createRenderInstruction({ type: 'script', id, content });
    }`,
  '/astro/components/viewtransitions.css': '',
};

/**
 * React's integration with `src/islands/hydrate.tsx` as its client entry, and the directive `client:when`. The build fails
 * when Astro no longer loads one of the replaced modules.
 */
export function islands(): AstroIntegration {
  const { name, hooks } = react({ experimentalDisableStreaming: true });
  const missing = new Set(Object.keys(REPLACED));
  const load = (id: string) => {
    const [file = '', code] = Object.entries(REPLACED).find(([suffix]) => id.endsWith(suffix)) ?? [];
    missing.delete(file);
    return code;
  };
  return {
    name,
    hooks: {
      ...hooks,
      'astro:build:done': () => {
        if (missing.size > 0) throw new Error(`nothing has loaded ${[...missing].join(', ')}`);
      },
      'astro:config:setup': (options) => {
        options.updateConfig({ vite: { plugins: [{ name: 'first-paint-only', load }] } });
        options.addClientDirective({ name: 'when', entrypoint: './src/astro/islands.ts' });
        return hooks['astro:config:setup']?.({
          ...options,
          addRenderer: (renderer) =>
            options.addRenderer({
              ...renderer,
              serverEntrypoint: new URL('./renderer.ts', import.meta.url),
              clientEntrypoint: './src/islands/hydrate.tsx',
            }),
        });
      },
    },
  };
}

import { createHash } from 'node:crypto';
import type { AstroIntegration, CspHash } from 'astro';

const HASHES_MAX = 1_000;
const ORIGINAL = 'async function generateCspDigest(';
/** The lists are by algorithm. A text of the build is always the same string, so a look-up does not compare it. */
const REMEMBERING = `
const cspDigests = {};
function generateCspDigest(data, algorithm) {
  const digests = (cspDigests[algorithm] ??= new Map());
  let digest = digests.get(data);
  if (digest === undefined) {
    if (digests.size >= ${HASHES_MAX}) digests.clear();
    digests.set(data, (digest = computeCspDigest(data, algorithm)));
  }
  return digest;
}
`;

/**
 * Hashes each inline style once. Astro hashes those of a page for its policy at every rendering, 60 KB with WebCrypto,
 * although they are part of the build. The build fails when Astro no longer has this function.
 */
export function rememberStyleHashes(): AstroIntegration {
  return {
    name: 'remember-style-hashes',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [{ name: 'remember-style-hashes', transform }] } });
      },
    },
  };
}

function transform(code: string, id: string): string | undefined {
  if (!id.endsWith('/astro/dist/core/encryption.js')) return undefined;
  if (!code.includes(ORIGINAL)) throw new Error(`${id} has no ${ORIGINAL}…)`);
  return code.replace(ORIGINAL, 'async function computeCspDigest(') + REMEMBERING;
}

/**
 * Allows `scripts` and the styles of every page on every page. At run time Astro adds only a page's own styles, but the
 * router brings those of the next page into a document that keeps the policy of the first. Astro's own lists name styles
 * before their minification, and scripts that `islands` replaces: 25 hashes, which no proxy compresses.
 */
export function hashesOfAllPages(scripts: readonly CspHash[]): AstroIntegration {
  return {
    name: 'hashes-of-all-pages',
    hooks: {
      'astro:build:ssr': ({ manifest: { csp, routes } }) => {
        if (csp === undefined) throw new Error('the pages have no policy');
        const sheets = routes.flatMap(({ styles }) => styles).filter((style) => style.type === 'inline');
        csp.scriptDirective.hashes = [...scripts];
        csp.styleDirective.hashes = [...new Set(sheets.map(({ content }) => toCspHash(content)))];
      },
    },
  };
}

/** The source of an inline script or style in a policy. */
export function toCspHash(text: string): CspHash {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

import type { AstroIntegration } from 'astro';

const HASHES_MAX = 1_000;
const ORIGINAL = 'async function generateCspDigest(';
/** The lists are by algorithm. A text of the build is always the same string, so a look-up does not compare it. */
const REMEMBERING = `
const cspDigests = {};
function generateCspDigest(data, algorithm) {
  const known = (cspDigests[algorithm] ??= new Map());
  let digest = known.get(data);
  if (digest === undefined) {
    if (known.size >= ${HASHES_MAX}) known.clear();
    known.set(data, (digest = computeCspDigest(data, algorithm)));
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

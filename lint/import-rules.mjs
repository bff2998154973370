/**
 * The import rules, as a rule of the linter. It checks static, dynamic and type imports in .ts, .tsx, .mjs and .astro
 * files. Tests may import anything. ARCHITECTURE.md explains the parts.
 */
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What all parts of the client import. */
const OF_CLIENT = ['contract', 'src/lib', 'src/browser'];

/** What features import beside each other. */
const OF_FEATURES = [
  'contract',
  'server/platform',
  'server/media',
  'server/web',
  'server/schema',
  'server/settings.ts',
];

/**
 * @type {Record<string, { imports: string[], packages?: string[], without?: string[] }>}
 * The other parts that files of a part may import; the longest path applies. Without a list, all packages are allowed.
 */
export const PARTS = {
  contract: { imports: [], packages: ['valibot'] },

  // Pure.
  'src/lib': { imports: ['contract'] },
  // What several parts need of the browser: storage, addresses, files of scripts.
  'src/browser': { imports: ['contract', 'src/lib'], without: ['react'] },
  // What depends on Astro beyond what it documents (src/astro/README.md).
  'src/astro': { imports: ['src/browser'], without: ['react'] },
  // The build runs in Node, `entry.ts` wherever pages are rendered.
  'src/astro/build': { imports: ['package.json'] },
  // The way from page to page. Everything that goes elsewhere does so through `navigation.ts`.
  'src/navigation': {
    imports: [...OF_CLIENT, 'src/astro'],
    without: ['react'],
  },
  'src/api': { imports: ['contract', 'src/browser'] },
  // What runs while a page is rendered on the server. Nothing that reaches a browser imports it.
  'src/render': {
    imports: ['contract', 'src/lib', 'src/api', 'src/styles', 'src/texts', 'src/islands/sounds'],
  },
  'src/ads': { imports: [...OF_CLIENT, 'src/api'], without: ['react'] },
  'src/stores': {
    imports: [...OF_CLIENT, 'src/navigation', 'src/api', 'src/ads'],
    without: ['react'],
  },
  'src/islands/ui': {
    imports: [...OF_CLIENT, 'src/stores/overlays', 'src/stores/shared/paged.ts', 'src/styles'],
  },
  // The stores of the console, each beside its islands. Its islands follow the rule of the others.
  'src/islands/console': {
    imports: [...OF_CLIENT, 'src/api', 'src/ads', 'src/stores', 'src/texts'],
    without: ['react'],
  },
  'src/islands': {
    imports: [
      ...OF_CLIENT,
      'src/astro',
      'src/navigation',
      'src/ads',
      'src/stores',
      'src/styles',
      'src/islands/ui',
      'src/islands/console',
    ],
  },
  'src/scripts': {
    imports: [...OF_CLIENT, 'src/astro', 'src/navigation', 'src/ads', 'src/stores', 'src/islands'],
  },
  'src/components': {
    imports: ['contract', 'src/lib', 'src/render', 'src/layouts', 'src/scripts', 'src/islands', 'src/styles'],
  },
  'src/layouts': {
    imports: [
      'contract',
      'src/lib',
      'src/render',
      'src/browser/extended-host.ts',
      'src/components',
      'src/scripts',
      'src/islands',
      'src/styles',
    ],
  },
  'src/pages': {
    imports: [
      'contract',
      'src/lib',
      'src/render',
      'src/layouts',
      'src/components',
      'src/islands',
      'src/api/client.ts',
      'src/styles',
    ],
  },
  src: { imports: ['contract', 'src'] },

  // Of the contract: what describes any call, and the kinds of pictures that have addresses.
  'server/platform': {
    imports: [
      'contract/calls/endpoint.ts',
      'contract/site/pictures.ts',
      'contract/values/emails.ts',
      'contract/values/texts.ts',
      'contract/values/time-units.ts',
    ],
  },
  'server/media': { imports: ['contract', 'server/platform'] },
  'server/web': { imports: ['contract', 'server/platform', 'server/media', 'package.json'] },
  // The migrations of all features: backups are read and checked with them.
  'server/schema': { imports: ['server/platform', 'server/features'] },
  'server/features': {
    imports: OF_FEATURES,
  },
  // Processes of their own, which begin with the list of the features.
  'server/features/backups/process.ts': { imports: ['server/features', 'server/features.ts'] },
  'server/features/drill/process.ts': { imports: ['server/features', 'server/features.ts'] },
  // The preview of a page is rendered as the page itself is.
  'server/features/console': {
    imports: [...OF_FEATURES, 'server/features', 'src/render/markdown.ts'],
  },
  'server/operator': {
    imports: [
      'contract',
      'server/platform',
      'server/media',
      'server/schema',
      'server/features',
      'server/features.ts',
      'server/settings.ts',
    ],
  },
  'server/main.ts': { imports: ['contract', 'server', 'src/render'] },
  'server/edge.ts': { imports: ['contract', 'server', 'src/render', 'src/astro/build/entry.ts'] },
  server: { imports: ['contract', 'server'] },
};

/**
 * Folders whose subfolders import each other in one direction: `tests/project/import-rules.test.ts` finds circles. Any
 * file of a subfolder may be imported.
 */
export const WITHOUT_CIRCLES = ['server/features', 'server/media', 'server/platform'];

/**
 * @type {Record<string, string[]>}
 * Folders whose subfolders have one entry file each, `X/X.ts`, the only file that others may import. The order is that
 * of dependence: a subfolder may import those before it.
 */
export const ENTRIES = {
  'src/stores': [
    'overlays',
    'session',
    'shared',
    'favorites',
    'player',
    'profile',
    'rewards',
    'statistics',
    'my-sounds',
    'uploads',
    'many-sounds',
    'account',
    'quality-check',
    'messages',
    'reports',
    'uses',
    'search',
    'certificates',
    'downloads',
  ],
};

/** Further files of such a folder, and the files that may import them. */
const EXTRA_ENTRIES = [
  // Unrelated tools: a single entry would bring all of them into the first script of a page.
  { file: /^src\/stores\/shared\//, from: /^src\// },
];

/** Files of a folder that only one place outside it imports, and that place. */
const OWN_FILES = [
  { file: /^server\/features\/[^/]+\/module\.ts$/, from: 'server/features.ts' },
  // Members' pages do without the code of the console.
  { file: /^src\/islands\/console\//, from: 'src/pages/operator/[...page].astro' },
  // The staff's commands call the routes of the console.
  { file: /^server\/features\/console\/module\.ts$/, from: 'server/operator/api.ts' },
];

/**
 * Why a file may not import a specifier; undefined if it may. The file's path is relative to the root.
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined}
 */
export function findFault(file, specifier) {
  if (file.startsWith('tests/')) return undefined;
  if (specifier.startsWith('#')) return 'Only tests use the aliases of package.json.';
  const part = findPart(file);
  if (!specifier.startsWith('.')) return part && findPackageFault(part, specifier);
  const target = posix.normalize(posix.join(posix.dirname(file), specifier.replace(/\?.*$/, '')));
  if (
    isBelow(target, 'server/operator') &&
    !isBelow(file, 'server/operator') &&
    file !== 'server/operator.ts'
  )
    return 'Only server/operator.ts runs the commands of the staff, which ask for no log-in.';
  if (part !== undefined && findPart(target) !== part) {
    const { imports } = PARTS[part];
    if (!imports.some((allowed) => isBelow(target, allowed))) {
      return `${part} may import ${[...imports, 'itself'].join(', ')}, and not ${target}.`;
    }
  }
  return findOwnFileFault(file, target) ?? findEntryFault(file, target);
}

function findOwnFileFault(file, target) {
  const importers = OWN_FILES.filter((own) => own.file.test(target)).map(({ from }) => from);
  const isInside = isBelow(file, target.split('/', 3).join('/'));
  if (importers.length === 0 || isInside || importers.includes(file)) return undefined;
  return `Only ${importers.join(' and ')} may import ${target}.`;
}

function findPackageFault(part, name) {
  const { packages, without = [] } = PARTS[part];
  if (packages !== undefined && !packages.includes(name))
    return `${part} imports no package but ${packages.join(', ')}.`;
  if (
    without.some(
      (excluded) => name === excluded || name.startsWith(`${excluded}/`) || name.startsWith(`${excluded}-`),
    )
  )
    return `${part} holds logic, not markup: it does without ${name}.`;
  if (isBelow(part, 'src') && part !== 'src/astro/build' && name.startsWith('node:'))
    return 'src/ runs in browsers and on edge runtimes.';
  return undefined;
}

function findEntryFault(file, target) {
  const parent = Object.keys(ENTRIES).find((folder) => target.startsWith(`${folder}/`));
  if (parent === undefined) return undefined;
  const [folder = '', ...rest] = target.slice(parent.length + 1).split('/');
  if (rest.length === 0 || isBelow(file, `${parent}/${folder}`)) return undefined;
  const isExtra = EXTRA_ENTRIES.some((extra) => extra.file.test(target) && extra.from.test(file));
  const entry = `${parent}/${folder}/${folder}.ts`;
  if (target !== entry && !isExtra) return `${parent}/${folder} is imported through ${entry}.`;
  if (!isBelow(file, parent)) return undefined;
  const own = file.slice(parent.length + 1).split('/', 1)[0];
  const order = ENTRIES[parent];
  if (!order.includes(folder))
    return `${parent}/${folder} has no place in the order of lint/import-rules.mjs.`;
  if (order.indexOf(own) < order.indexOf(folder))
    return `${parent}/${own} comes before ${folder} and cannot import it.`;
  return undefined;
}

function findPart(path) {
  return Object.keys(PARTS)
    .filter((part) => isBelow(path, part) && !(part === 'src/islands/console' && isIsland(path)))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** A component or a hook. */
function isIsland(path) {
  return /\.tsx$|\/use-[^/]+$/.test(path);
}

function isBelow(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

const rule = {
  create(context) {
    const file = relative(ROOT, context.filename).split(sep).join('/');
    const check = ({ source, argument }) => {
      const specifier = source?.value ?? argument?.value ?? argument?.literal?.value;
      if (typeof specifier !== 'string') return;
      const message = findFault(file, specifier);
      if (message !== undefined) context.report({ node: source ?? argument, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { meta: { name: 'imports' }, rules: { rules: rule } };

/** Finds what the oldest browsers of `browserslist` in package.json lack, by MDN's browser-compat-data. */
import bcd, {
  type BrowserName,
  type CompatStatement,
  type Identifier,
} from '@mdn/browser-compat-data' with { type: 'json' };
import { type ESTree, Visitor, parseSync } from 'vite';
import manifest from '../../../package.json' with { type: 'json' };

const BROWSERS = manifest.browserslist.map((query) => {
  const [name = '', , version = ''] = query.replace('ios_saf', 'safari_ios').split(' ');
  return { name: name as BrowserName, version };
});

/** Whether one of the browsers lacks a feature, or has it only behind a flag or with a prefix. */
function isLacking({ support }: CompatStatement): boolean {
  return BROWSERS.some(({ name, version }) => {
    const statement = [support[name] ?? []]
      .flat()
      .find((each) => !each.flags && !each.prefix && !each.alternative_name && !each.version_removed);
    const added = statement?.version_added;
    if (!added || added === 'preview') return true;
    return added.replace('≤', '').localeCompare(version, 'en', { numeric: true }) > 0;
  });
}

/** Names of functions, and whether a browser lacks all that have the name. */
type Names = Map<string, boolean>;
/** `structuredClone`, `Map`. */
const globals: Names = new Map();
/** `URL.canParse`; also `Array.flat`, as the data does not say which functions of the language are static. */
const statics: Names = new Map();
/** `showPopover`. */
const methods: Names = new Map();

function note(names: Names, name: string, compat: CompatStatement): void {
  names.set(name, (names.get(name) ?? true) && isLacking(compat));
}

function listParts(node: Identifier | undefined): [name: string, part: Identifier][] {
  return Object.entries(node ?? {}).filter(([name]) => name !== '__compat') as [string, Identifier][];
}

for (const [owner, members] of [bcd.javascript.builtins, bcd.javascript.builtins?.['Intl'], bcd.api].flatMap(
  listParts,
)) {
  const { __compat: own } = members;
  if (own) note(globals, owner, own);
  for (const [name, { __compat: compat }] of listParts(members)) {
    if (!compat || name.endsWith('_event')) continue;
    const plain = name.replace(/_static$/, '');
    note(statics, `${owner}.${plain}`, compat);
    if (plain === name) note(methods, name, compat);
    if (owner === 'Window') note(globals, name, compat);
  }
}

/**
 * Calls in a script of functions that a browser may lack: `Promise.withResolvers`, `.showPopover`. Calls with `?.` are
 * safe. A method is known by its name alone, so one of a script's own objects can have the name of one in the data.
 */
export function findMissingCalls(code: string): Set<string> {
  const missing = new Set<string>();
  const look = (callee: ESTree.Expression) => {
    if (callee.type === 'Identifier' && globals.get(callee.name)) missing.add(callee.name);
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
    const { object, property, computed } = callee;
    if (computed) return;
    const name = object.type === 'Identifier' ? `${object.name}.${property.name}` : '';
    if (statics.has(name) ? statics.get(name) : methods.get(property.name))
      missing.add(statics.has(name) ? name : `.${property.name}`);
  };
  new Visitor({
    CallExpression: ({ callee, optional }) => (optional ? undefined : look(callee)),
    NewExpression: ({ callee }) => look(callee),
  }).visit(parseSync('script.js', code).program);
  return missing;
}

const { selectors, types, 'at-rules': atRules } = bcd.css;
const functions: Names = new Map();
(function noteFunctions(node: Identifier | undefined): void {
  for (const [name, part] of listParts(node)) {
    const { __compat: compat } = part;
    if (compat) note(functions, name, compat);
    noteFunctions(part);
  }
})(types);

/**
 * At-rules, pseudo-classes and functions in a style sheet that a browser may lack: with them it loses whole rules, or
 * the value of a custom property. A property that it does not know costs that declaration only.
 */
export function findMissingStyles(css: string): Set<string> {
  const missing = new Set<string>();
  const plain = css.replaceAll(/\/\*.*?\*\//gs, '');
  for (const [text, sign, name = ''] of plain.matchAll(/(@|::?)([a-z][a-z-]*)\b/g)) {
    const { __compat: compat } = (sign === '@' ? atRules : selectors)?.[name] ?? {};
    if (compat && isLacking(compat)) missing.add(text);
  }
  for (const [, name = ''] of plain.matchAll(/[\s(,:]([a-z][a-z-]*)\(/g))
    if (functions.get(name)) missing.add(`${name}()`);
  return missing;
}

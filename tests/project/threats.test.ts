import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const THREATS = readFileSync(join(ROOT, 'docs/threats.md'), 'utf8');

/** The function that a call or chain begins with: `test` in `test.skipIf(x).each(rows)(title)`. */
function findRoot(node: ts.Expression): string {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return findRoot(node.expression);
  return ts.isIdentifier(node) ? node.text : '';
}

/** The literal texts of titles in a test file, and the first cells of table rows, which fill titles. */
function listTitles(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  // Parsing takes seconds for all files: skip those in which no literal can hold a code.
  if (!/['"`(][A-Z]\d{1,2}\b/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const addText = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) titles.push(node.text);
    else if (ts.isTemplateExpression(node)) addText(node.head);
  };
  const visit = (node: ts.Node): void => {
    const isTitled = ts.isCallExpression(node) && /^(?:describe|it|test)$/.test(findRoot(node));
    if (isTitled) node.arguments.slice(0, 1).forEach(addText);
    if (ts.isArrayLiteralExpression(node)) node.elements.slice(0, 1).forEach(addText);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** The codes before a title, as in `U2, U3: …` or `M2 U20: …`, and one in parentheses at its end. */
function listCodes(title: string): string[] {
  const before = /^(?:[A-Z]\d{1,2}(?:[:, ]+|$))+/.exec(title)?.[0] ?? '';
  const after = / \([A-Z]\d{1,2}\)$/.exec(title)?.[0] ?? '';
  return (before + after).match(/[A-Z]\d{1,2}/g) ?? [];
}

test('every case that a test title cites is listed once in docs/threats.md', () => {
  const listed = [...THREATS.matchAll(/^- \*\*([A-Z]\d{1,2})\*\* /gm)].map(([, code = '']) => code);
  expect(listed).toEqual([...new Set(listed)]);
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' });
  const cited = files
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      listTitles(join(ROOT, 'tests', file)).flatMap((title) =>
        listCodes(title).map((code) => ({ code, file })),
      ),
    );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ code }) => !listed.includes(code))).toEqual([]);
}, 60_000);

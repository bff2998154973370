import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SECRET_NAMES } from '#server/platform/crypto/secrets.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const ASVS = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');

/** The levels of the requirements of OWASP ASVS 5.0.0, by chapter: a text for each section, a digit for each requirement. */
const LEVELS: readonly (readonly string[])[] = [
  ['22', '1111122223', '112222222223', '222', '123'],
  ['122', '112', '12223', '23'],
  ['3', '113', '12223', '11222233', '11122333', '3', '22333'],
  ['12233', '23333', '22', '1222'],
  ['2', '112333', '113', '222'],
  ['122', '111111112222', '11223333', '112233', '22222333', '2223', '33', '2222'],
  ['222', '1111', '22', '11222', '223', '22'],
  ['1233', '1123', '133', '23'],
  ['111', '1222'],
  ['22', '223', '22223', '1111122222233333', '22222', '22', '222'],
  ['2233', '22233', '11233', '1222', '23', '23', '33'],
  ['12233', '11', '22223'],
  ['2333', '222223', '2233', '1222233'],
  ['22', '12223333', '122'],
  ['12233', '12233', '1222222', '3333'],
  ['2', '22222', '2222', '222', '2223'],
  ['23', '22223333', '22'],
];

interface Line {
  readonly id: string;
  readonly level: string;
  readonly topic: string;
  readonly state: string;
  readonly proof: string;
}

const lines = [...ASVS.matchAll(/^\| (V\d.*) \|$/gm)].map(([, cells = '']): Line => {
  const [id = '', level = '', topic = '', state = '', proof = ''] = cells
    .split(' | ')
    .map((cell) => cell.trim());
  return { id, level, topic, state, proof };
});
/** The files that a line names; a link to a document counts. */
const listFiles = ({ proof }: Line) => [
  ...[...proof.matchAll(/`([\w./-]*\.\w+|Dockerfile|deploy\/Caddyfile)`/g)].map(([, path = '']) => path),
  ...[...proof.matchAll(/\]\((\w+\.md)?#/g)].map(([, name = 'asvs.md']) => `docs/${name}`),
];
const listWhere = (find: (line: Line) => boolean) => lines.filter(find).map(({ id }) => id);

test('the list has a line for each requirement of levels 1 and 2, in the order of the standard', () => {
  const required = LEVELS.flatMap((sections, chapter) =>
    sections.flatMap((levels, section) =>
      [...levels].map((level, index) => ({ id: `V${chapter + 1}.${section + 1}.${index + 1}`, level })),
    ),
  ).filter(({ level }) => level !== '3');
  expect(required.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(required).toHaveLength(253);
  expect(lines.map(({ id, level }) => ({ id, level }))).toEqual(required);
});

test('each line has a topic and a state, and says why a requirement does not apply or is not met', () => {
  expect(listWhere(({ state }) => !['met', 'not met', 'n/a'].includes(state))).toEqual([]);
  expect(listWhere(({ topic, proof }) => topic.length < 4 || proof.length < 5)).toEqual([]);
});

test('what is met names its place, and its test unless it says that there is none', () => {
  const met = lines.filter(({ state }) => state === 'met');
  const isTest = (path: string) => path.startsWith('tests/');
  const withoutPlace = met.filter((line) => !listFiles(line).some((path) => !isTest(path)));
  expect(withoutPlace.map(({ id, proof }) => `${id} ${proof}`)).toEqual([]);
  const untested = met.filter((line) => !listFiles(line).some(isTest));
  expect(
    untested.filter(({ proof }) => !/\b(?:by hand|[Uu]ntested)\b/.test(proof)).map(({ id }) => id),
  ).toEqual([]);
  expect(untested.length).toBeLessThan(5);
});

test('the files that the list names exist', () => {
  const named = lines.flatMap((line) => listFiles(line).map((path) => `${line.id} ${path}`));
  expect(named.length).toBeGreaterThan(350);
  expect(named.filter((each) => !existsSync(join(ROOT, each.split(' ')[1] ?? '')))).toEqual([]);
});

test('the counts at the top are those of the lines', () => {
  const count = (wanted: string) => lines.filter(({ state }) => state === wanted).length;
  expect(ASVS).toContain(
    `${count('met')} are met, ${count('n/a')} do not apply, and ${count('not met')} are not met`,
  );
});

test('the keys of the site are in the table of keys', () => {
  const keys = ASVS.split('\n## Keys\n')[1] ?? '';
  for (const name of SECRET_NAMES) expect(keys).toContain(`\`${name}\``);
});

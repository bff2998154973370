import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { toVisible } from '#contract/values/texts.ts';
import type { Access } from '#server/platform/http/access.ts';
import type { Database } from '#server/platform/database/open.ts';
import { DECLARATIONS, createWorld, toSample, toSampleInit } from '#support/http/calls.ts';
import type { Role, World } from '#support/http/calls.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { makePaper } from '#support/files/pictures.ts';

/** U+3164, U+200B, U+2800 and U+00AD are accepted as letters by many programs; none of these shows anything. */
const INVISIBLE = '\u3164\u200b\u2800\u00ad\ufe0f\u{e0041}\u202e\u2066\u200d';
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
let marks = 0;

/** A text that shows its words in another order, and what must remain of it. */
function toReversed(): { readonly sent: string; readonly kept: string } {
  marks += 1;
  return { sent: `\u2067標\u202e本\u200f${marks}\u2069\u200b号\u061c`, kept: `標本${marks}号` };
}

/** The fields of a call in which a text is sent: the paths in its JSON, or the texts and files of its form. */
function listFields({ body, form }: Access): readonly (readonly string[])[] {
  if (form !== undefined) return [...(form.texts ?? []), ...form.files].map((name) => [name]);
  const list = (value: unknown, path: readonly string[]): readonly (readonly string[])[] =>
    typeof value === 'string'
      ? [path]
      : Object.entries(Object(value)).flatMap(([key, inner]) => list(inner, [...path, key]));
  return body === undefined ? [] : list(toSample(body), []);
}

function replace(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[key] = replace(copy[key], rest, text);
  return copy;
}

const AUDIO = await readFile(new URL('../fixtures/audio/lame-8k.mp3', import.meta.url));
const PICTURE = await makePaper(640, 480).png().toBuffer();
/** Texts of forms, which have no schema. */
const toFormTexts = (userId: string): Readonly<Record<string, string>> => ({
  types: '1',
  user_id: userId,
  seconds: '15',
  filename: '音.mp3',
  text: 'お知らせ',
});

/** The calls that carry `text` in one field. A form is sent with audio and with a picture; one of them is accepted. */
function* toInits(access: Access, field: readonly string[], text: string, userId: string) {
  const { form, body } = access;
  if (form === undefined) {
    const changed = replace(toSample(body ?? expect.unreachable()), field, text);
    yield { ...toSampleInit(access), body: JSON.stringify(changed) };
    return;
  }
  const [name = ''] = field;
  const isFile = form.files.includes(name);
  const valid = toFormTexts(userId);
  const texts = (form.texts ?? []).filter((each) => each === name || each in valid);
  const parts = texts.map((each) => ({ name: each, content: each === name ? text : (valid[each] ?? '') }));
  const headers = { 'content-type': FORM_TYPE };
  if (!isFile) yield { headers, body: toFormBytes(parts) as BodyInit };
  for (const [type, ending, content] of [
    ['audio/mpeg', '.mp3', AUDIO],
    ['image/png', '.png', PICTURE],
  ] as const) {
    const files = (form.files.length > 3 ? form.files : form.files.slice(0, 1)).map((each) => ({
      name: each,
      filename: `${each === name ? text : 'a'}${ending}`,
      type,
      content,
    }));
    yield { headers, body: toFormBytes([...parts, ...files]) as BodyInit };
  }
}

/** Every text in the database, with its column. */
async function readTexts({ db }: Database): Promise<readonly (readonly [column: string, text: string])[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select t.name as "table", c.name as "column" from sqlite_schema as t, pragma_table_info(t.name) as c
    where t.type = 'table' and t.sql not like '%virtual%' and lower(c.type) = 'text'
      and c.name not like '%hash'
  `.execute(db);
  const found: (readonly [string, string])[] = [];
  for (const [table, columns] of Map.groupBy(rows, (row) => row.table)) {
    const names = columns.map(({ column }) => sql.ref(column));
    const read = sql<Record<string, string | null>>`select ${sql.join(names)} from ${sql.table(table)}`;
    for (const row of (await read.execute(db)).rows) {
      for (const [column, value] of Object.entries(row)) found.push([`${table}.${column}`, value ?? '']);
    }
  }
  return found;
}

const toRole = ({ caller, path }: Access): Role =>
  caller.startsWith('staff')
    ? 'staff'
    : caller === 'anyone'
      ? 'verified'
      : path.includes('quality-check')
        ? 'unverified'
        : 'owner';

async function send(world: World, access: Access, field: readonly string[], text: string): Promise<void> {
  const role = toRole(access);
  const userId = world.memberIds[role as 'owner'];
  for (const init of toInits(access, field, text, userId)) {
    const owned = world.namesOwned(access) && !access.path.startsWith('/api/sounds/');
    const path = await world.toPath(access, owned ? 'owned' : 'visible');
    const headers = { ...(await world.toHeaders(role)), ...init.headers };
    const response = await world.api.app.request(path, { ...init, method: access.method, headers });
    await response.arrayBuffer();
  }
}

describe('a text that hides something', () => {
  const ROUTES = DECLARATIONS.map((access) => [access, listFields(access)] as const)
    .filter(([, fields]) => fields.length > 0)
    .map(([access, fields]) => [`${access.method} ${access.path}`, access, fields] as const);
  const stored: string[] = [];

  test.each(ROUTES)('W20: %s stores what can be seen of it, or nothing', async (route, access, fields) => {
    const world = await createWorld(await openTestDatabase('sqlite'));
    for (const field of fields) {
      const reversed = toReversed();
      for (const text of [reversed.sent, INVISIBLE]) {
        await send(world, access, field, text);
        const texts = await readTexts(world.api.database);
        const wrong = texts.filter(([, each]) => BIDI.test(each) || (each !== '' && toVisible(each) === ''));
        expect(wrong, `${route} ${field.join('.')}`).toEqual([]);
        if (texts.some(([, each]) => each.includes(reversed.kept)))
          stored.push(`${route} ${field.join('.')}`);
      }
    }
    await world.close();
  });

  afterAll(() => {
    // Not a list of fields: it shows that the calls above get as far as the database.
    expect(new Set(stored).size, stored.join('\n')).toBeGreaterThan(20);
  });
});

import { expect, test } from 'vitest';
import { createTestApi, createTestModules } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { checkExchange } from '#support/http/exchanges.ts';

type Page = { results: Record<string, unknown>[] };

/** Judges the page of a listing that the host sends, after a change. */
async function judge(change: (page: Page) => void): Promise<void> {
  const api = createTestApi(await openTestDatabase('sqlite'));
  await fillCatalogue(api.database, [{ key: 'rain', title: '雨の音' }]);
  const page = (await (await api.get('/api/sounds/')).json()) as Page;
  expect(page.results).toHaveLength(1);
  change(page);
  const exchange = { method: 'GET', path: '/api/sounds/', sent: undefined };
  await checkExchange(createTestModules(), { ...exchange, response: Response.json(page) });
}

test('a reply as the host sends it matches the document', async () => {
  await expect(judge(() => undefined)).resolves.toBeUndefined();
});

test.each([
  ['without a field that the host always sends', 'created_at', undefined, "required property 'created_at'"],
  ['without one that other hosts may omit', 'moods', undefined, "required property 'moods'"],
  ['with a time in another form', 'created_at', '20 November', 'must match format'],
  ['with a number that is not whole', 'download_count', 0.5, 'must be integer'],
  ['with null where the host sends an address', 'file_url', null, 'must be string'],
  ['with a field that the document lacks', 'audio_key', 'abc', 'must NOT have additional properties'],
])('a reply %s does not', async (_, name, value, problem) => {
  await expect(judge(({ results: [sound = {}] }) => void (sound[name] = value))).rejects.toThrow(problem);
});

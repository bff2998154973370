import { describe, expect, test } from 'vitest';
import { PAGES_MAX, PAGE_BODY_BYTES_MAX } from '#contract/operator/pages.ts';
import type { EditedPage, ListedPage } from '#contract/operator/pages.ts';
import { savePage } from '#server/features/site/service.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const NO_LICENCE = { licence_line: '', licence_uses: [] };
const PAGE = { title: 'よくある質問', order: 2, is_listed: true, body: '# 質問\n\n答え' };

describe.each(bothDatabases)('pages in the console on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff({ username: '運営' });
  const other = useStaff({ username: '別の運営' });

  const post = async (path: string, body: object, userId = staff) => {
    api.clock.advance(1);
    const response = await api.post(`/api/operator/${path}`, body, userId);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const list = async () =>
    ((await api.json('/api/operator/pages/', staff)) as { results: ListedPage[] }).results;
  const read = async (slug: string) => (await api.json(`/api/operator/pages/${slug}/`, staff)) as EditedPage;
  const listActions = async () =>
    (await listRows(database, 'operator_actions', {}, ['action', 'subject'])).map(
      ({ action, subject }) => `${action} ${subject}`,
    );

  test('are created, changed and deleted, which visitors see at once', async () => {
    const created = await post('pages/', { slug: 'faq', ...PAGE, body: 'a\r\nb' });
    expect(created.status).toBe(200);
    expect(await read('faq')).toEqual({ slug: 'faq', ...PAGE, body: 'a\nb', ...NO_LICENCE, ...created.body });
    const saved = await post('pages/faq/', {
      ...PAGE,
      title: ' 質問\u200b集 ',
      is_listed: false,
      ...created.body,
    });
    expect(saved.status).toBe(200);
    expect(await list()).toEqual([
      { slug: 'faq', title: '質問集', order: 2, is_listed: false, ...saved.body },
    ]);
    expect(await api.json('/api/page/faq/')).toMatchObject({ title: '質問集', body: PAGE.body });
    expect(await api.json('/api/page/')).toEqual([]);
    expect((await post('pages/faq/remove/', saved.body)).body).toEqual({ state: 'removed' });
    expect((await api.get('/api/page/faq/')).status).toBe(404);
    expect(await listActions()).toEqual(['save page faq', 'save page faq', 'remove page faq']);
    expect(api.countChanges()).toBe(3);
  });

  test('of two who edit at once, the second is told who was first, and nothing is overwritten', async () => {
    const { body: version } = await post('pages/', { slug: 'faq', ...PAGE });
    expect((await post('pages/faq/', { ...PAGE, body: '先', ...version }, other)).status).toBe(200);
    for (const path of ['pages/faq/', 'pages/faq/remove/']) {
      expect(await post(path, { ...PAGE, body: '後', ...version })).toEqual({
        status: 409,
        body: { detail: '別の運営 さんが先に変更しています。' },
      });
    }
    const page = await read('faq');
    expect(page.body).toBe('先');
    await post('pages/faq/remove/', { updated_at: page.updated_at }, other);
    expect(await post('pages/faq/', { ...PAGE, ...version })).toEqual({
      status: 409,
      body: { detail: '別の運営 さんが先に削除しています。' },
    });
    expect((await post('pages/never/', { ...PAGE, ...version })).status).toBe(404);
  });

  test.each([
    ['slug', { slug: '日本語' }],
    ['slug', { slug: 'faq' }],
    ['slug', { slug: 'x'.repeat(101) }],
    ['title', { title: ' \u200b ' }],
    ['title', { title: '題'.repeat(101) }],
    ['order', { order: -1 }],
    ['order', { order: 1.5 }],
    ['order', { order: null }],
    ['is_listed', { is_listed: 'yes' }],
    ['body', { body: ' \n' }],
    ['body', { body: '長'.repeat(PAGE_BODY_BYTES_MAX / 3 + 1) }],
  ])('name the field %s of %j', async (field, change) => {
    await savePage(database, { slug: 'faq', title: '前', order: 0, body: '前' });
    const { status, body } = await post('pages/', { slug: 'new', ...PAGE, ...change });
    expect([status, Object.keys(body)]).toEqual([400, [field]]);
    expect(await list()).toHaveLength(1);
  });

  rule('hold a text of the largest size, and refuse a larger call before it is parsed', async () => {
    const body = '"\n'.repeat(PAGE_BODY_BYTES_MAX / 2);
    expect((await post('pages/', { slug: 'long', ...PAGE, body })).status).toBe(200);
    expect((await read('long')).body).toBe(body);
    expect((await post('pages/', { slug: 'longer', ...PAGE, body: `${body}${body}` })).status).toBe(413);
  });

  rule('are limited in number', async () => {
    const rows = Array.from({ length: PAGES_MAX }, (_, index) => ({
      slug: `p${index}`,
      title: '題',
      position: index,
      body: '',
      is_listed: 1 as const,
      updated_at: 1,
    }));
    await everyTable(database.db).insertInto('extra_pages').values(rows).execute();
    const { status, body } = await post('pages/', { slug: 'more', ...PAGE });
    expect([status, body['detail']]).toEqual([400, expect.stringContaining('200件')]);
  });

  test('are previewed as the public page renders them', async () => {
    const body = '# 見出し\n\n<script>alert(1)</script> [危険](javascript:alert(1)) {site}';
    const { html } = (await post('page-preview/', { body })).body;
    expect(html).toBe(
      '<h2>見出し</h2>\n<p>&lt;script&gt;alert(1)&lt;/script&gt; [危険](javascript:alert(1)) Otoichi</p>\n',
    );
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { DIST_DIR } from '#server/build.ts';
import { loadPages } from '#server/web/load-pages.ts';
import { toRenderPage } from '#server/web/rendering.ts';
import type { RenderPage } from '#server/web/page-response.ts';
import { createParts, joinParts } from '#contract/site/page-parts.ts';
import { parsePublicSettings } from '#server/web/public-settings.ts';
import { listAtomFaults } from './atom.ts';
import { FOREIGN_REPLIES, type Replies, listOddReplies } from '../browser/support/foreign-replies.ts';

const SITE_URL = 'http://site.test';
const HOST = 'http://host.test';
const SITE_CONFIG = '/api/site-config';
const SOUNDS = '/api/sounds/';
const ARTIST = '/api/account/artist/somebody/';
/** One in this many odd replies is rendered, all with SOAK=1. Fields have eleven odd values: a sample has each kind. */
const SAMPLE_STEP = process.env['SOAK'] === undefined ? 5 : 1;

/** A page, its required content, and the call that it cannot do without. `isSample`: represents all pages. */
const PAGES = [
  { path: '/', content: 'ぴったりの音を。', main: SOUNDS, isSample: true },
  { path: '/sounds', content: '検索結果', main: SOUNDS, isSample: true },
  { path: '/sounds?search=tone', content: '検索結果', main: SOUNDS, isSample: false },
  { path: '/artist/somebody', content: 'somebody', main: ARTIST, isSample: false },
  { path: '/login', content: 'アカウントにログイン', main: null, isSample: false },
  { path: '/register', content: 'アカウントを作る', main: null, isSample: true },
  { path: '/contact', content: 'お問い合わせ', main: null, isSample: false },
  { path: '/profile', content: 'ログインの管理', main: null, isSample: false },
  { path: '/profile/statement', content: '報酬の内訳', main: null, isSample: false },
  { path: '/member-terms', content: '会員規約', main: null, isSample: true },
  {
    path: '/sitemap.xml',
    content: '<loc>http://site.test/sitemap-pages.xml</loc>',
    main: null,
    isSample: false,
  },
  { path: '/sitemap-pages.xml', content: '<loc>http://site.test/sounds</loc>', main: null, isSample: false },
] as const;
type Page = (typeof PAGES)[number];

interface Rendered {
  readonly status: number;
  readonly html: string;
  readonly errors: readonly unknown[];
  readonly caching: string | null;
}

type Answer = (path: string, query: URLSearchParams) => Response | Promise<Response>;
let renderPage: RenderPage;
let currentAnswer: Answer;
let errors: unknown[] = [];
/** The process warns once of each kind. */
const warnings: string[] = [];

beforeAll(async () => {
  renderPage = toRenderPage(await loadPages(DIST_DIR), {
    settings: parsePublicSettings({ SITE_URL, API_ORIGIN: HOST }),
    fetchApi: async (input) => {
      const { pathname, searchParams } = new URL(new Request(input).url);
      return currentAnswer(pathname, searchParams);
    },
    // Each page starts with empty caches.
    get replies() {
      return new Map();
    },
    reportError: (error) => void errors.push(error),
    warn: (message) => void warnings.push(message),
  });
});

/** Opens one page after the other, from a host with these replies. */
async function render(path: string, answer: Answer): Promise<Rendered> {
  currentAnswer = answer;
  errors = [];
  const parts = createParts();
  const response = await renderPage(path, 'test', () => undefined, parts);
  const caching = response.headers.get('cache-control');
  const page = new Uint8Array(await response.arrayBuffer());
  const html = new TextDecoder().decode(joinParts(page, parts));
  return { status: response.status, html, errors, caching };
}

function answerWith(replies: Replies): Answer {
  return (path) =>
    path in replies
      ? Response.json(replies[path] ?? null)
      : Response.json({ detail: 'Not found.' }, { status: 404 });
}

/** The same of a host that is extended. */
const EXTENDED_REPLIES: Replies = {
  ...FOREIGN_REPLIES,
  [SITE_CONFIG]: { ...(FOREIGN_REPLIES[SITE_CONFIG] as object), is_extended: true },
  '/api/account/artists/': [{ username: 'somebody', sound_count: '3' }],
  '/api/sitemap/': { parts: 2 },
  '/api/sitemap/1/': {
    sounds: [{ id: '2', updated_at: '2026-05-03T00:00:00.000Z' }],
    artists: [{ username: 'somebody' }],
  },
  '/api/page/guide/': { slug: 'guide', title: 'Guide', body: 'All of it.' },
  '/api/sounds/1/': (FOREIGN_REPLIES[SOUNDS] as { readonly results: readonly object[] }).results[0],
};

/** The fault of a page whose main read is answered; '' for none. */
function findFault({ content }: Page, { status, html, errors }: Rendered): string {
  if (errors.length > 0) return `reported ${String(errors[0])}`;
  if (status !== 200) return `status ${status}`;
  return html.includes(content) ? '' : `lacks ${content}`;
}

/** The pages that make a call, or a sample where all do. */
async function listAskingPages(call: string, replies: Replies): Promise<Page[]> {
  const asking: Page[] = [];
  for (const page of PAGES) {
    let isAsked = false;
    await render(page.path, (path, query) => {
      isAsked ||= path === call;
      return answerWith(replies)(path, query);
    });
    if (isAsked) asking.push(page);
  }
  return asking.length === PAGES.length ? asking.filter(({ isSample }) => isSample) : asking;
}

/** A reply without a list where the page of a listing belongs. */
function isUnreadablePage(reply: unknown): boolean {
  return !Array.isArray(reply) && !Array.isArray((reply as { readonly results?: unknown } | null)?.results);
}

/** Odd replies with a meaning other than the plain page. */
function isMeant(name: string, { path }: Page, { status, html, errors }: Rendered): boolean {
  if (errors.length > 0) return false;
  if (name.startsWith('.maintenance_mode')) return status === 503 && html.includes('しばらくお待ちください');
  if (name.startsWith('.allow_register')) return path === '/register' && status === 302;
  return name.startsWith('.username') && status === 308;
}

describe('a page renders with any reply of the host', () => {
  it.each([
    [SITE_CONFIG, FOREIGN_REPLIES],
    ['/api/page/', FOREIGN_REPLIES],
    ['/api/sounds/types/', FOREIGN_REPLIES],
    ['/api/genres/', EXTENDED_REPLIES],
    [SOUNDS, FOREIGN_REPLIES],
    [ARTIST, FOREIGN_REPLIES],
  ])('to %s', async (call, replies) => {
    const faults: string[] = [];
    let count = 0;
    const pages = await listAskingPages(call, replies);
    for (const [index, { name, reply }] of [...listOddReplies(replies[call])].entries()) {
      if (index % SAMPLE_STEP !== 0) continue;
      const answer = answerWith({ ...replies, [call]: reply });
      for (const page of pages) {
        // The main content of a page must be readable.
        const isAbout = page.main === call || (page.main === ARTIST && call === SOUNDS);
        if (isAbout && name.startsWith('instead')) continue;
        const rendered = await render(page.path, answer);
        count += 1;
        if (call === SOUNDS && page.main !== null && isUnreadablePage(reply)) {
          // It would be cached as an empty catalogue.
          if (rendered.status !== 503) faults.push(`${page.path} (${name}): status ${rendered.status}`);
          continue;
        }
        const fault = findFault(page, rendered);
        if (fault !== '' && !isMeant(name, page, rendered)) faults.push(`${page.path} (${name}): ${fault}`);
        // An odd sound costs at most that sound.
        if (name.startsWith('.results[') && page.main === SOUNDS && !rendered.html.includes('Tone 2')) {
          faults.push(`${page.path} (${name}): lacks the other sound`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(50 / SAMPLE_STEP);
  });

  it('and logs a warning for omitted entries', async () => {
    const replies = {
      ...FOREIGN_REPLIES,
      '/api/page/': [{ title: 'No slug' }, { slug: 'law', title: 'Law' }],
    };
    const { html } = await render('/login', answerWith(replies));
    expect(html).toContain('href="/content/law"');
    expect(html).not.toContain('No slug');
    expect(warnings.join()).toContain('GET /api/page/: dropped an entry: slug');
  });
});

describe('a page renders with any failing call', () => {
  const FAILURES: [name: string, fail: () => Response | Promise<Response>, kind: 'refused' | 'outage'][] = [
    ...[401, 403, 404, 405].map(
      (status) =>
        [String(status), () => Response.json({ detail: 'no' }, { status }), 'refused'] as [
          string,
          () => Response,
          'refused',
        ],
    ),
    ['500', () => new Response('<h1>Server Error</h1>', { status: 500 }), 'outage'],
    ['reset', () => Promise.reject(new TypeError('fetch failed')), 'outage'],
    ['no JSON', () => new Response('<html>'), 'outage'],
  ];
  it.each(FAILURES)('with %s', async (_, fail, kind) => {
    const faults: string[] = [];
    for (const call of Object.keys(FOREIGN_REPLIES)) {
      const replies = call === '/api/genres/' ? EXTENDED_REPLIES : FOREIGN_REPLIES;
      const answer: Answer = (path, query) => (path === call ? fail() : answerWith(replies)(path, query));
      for (const page of PAGES) {
        const rendered = await render(page.path, answer);
        const isMain = page.main === call && !(page.path === '/' && kind === 'refused');
        if (isMain) {
          const status = kind === 'refused' ? 404 : 503;
          if (rendered.status !== status) faults.push(`${page.path} without ${call}: ${rendered.status}`);
        } else if (call === SOUNDS && page.main === ARTIST && kind === 'outage') {
          // An artist’s page without sounds would be cached as if the artist had none.
          if (rendered.status !== 503) faults.push(`${page.path} without ${call}: ${rendered.status}`);
        } else {
          const fault = findFault(page, rendered);
          if (fault !== '') faults.push(`${page.path} without ${call}: ${fault}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('that fails once only', async () => {
    const failed = new Set<string>();
    const { status } = await render('/sounds', (path, query) => {
      if (failed.has(path)) return answerWith(FOREIGN_REPLIES)(path, query);
      failed.add(path);
      return Response.json({}, { status: 501 });
    });
    expect(status).toBe(200);
    expect(failed.size).toBeGreaterThan(2);
  });
});

it('links to no artist from the page of a sound whose artist has no name', async () => {
  const sound = { id: 1, title: 'Tone', file_url: 'http://host.test/tone.mp3' };
  const replies = {
    ...FOREIGN_REPLIES,
    [SITE_CONFIG]: { is_extended: true },
    [`${SOUNDS}1/`]: sound,
  };
  const { status, html } = await render('/sounds/1', answerWith(replies));
  expect(status).toBe(200);
  expect(html).toContain('Tone');
  expect(html).not.toContain('href="/artist/"');
});

describe('a host that is not extended', () => {
  const asked = async (path: string, replies = FOREIGN_REPLIES) => {
    const calls: string[] = [];
    const rendered = await render(path, (call, query) => {
      calls.push(call);
      return answerWith(replies)(call, query);
    });
    return { ...rendered, calls };
  };

  it.each(PAGES.map(({ path }) => path))('is asked on %s only for what spec §7 has', async (path) => {
    const { calls, html } = await asked(path);
    for (const call of calls) expect(Object.keys(FOREIGN_REPLIES)).toContain(call);
    expect(html).not.toMatch(/(?:href="|<loc>http:\/\/site\.test)\/sounds\/\d/);
    expect(html).not.toContain('href="/contact"');
    expect(html).not.toMatch(/sub_genres=|ordering=|is_ai_generated=|すべての端末/);
  });

  it('has no sound pages, and is not asked for one', async () => {
    const { status, calls } = await asked('/sounds/1');
    expect(status).toBe(404);
    expect(calls).not.toContain('/api/sounds/1/');
  });

  it('shows a footer page without its text', async () => {
    const { status, html, calls } = await asked('/content/guide');
    expect(status).toBe(200);
    expect(html).toContain('<h1>Guide</h1>');
    expect(html).toContain('ここでは表示できません');
    expect(calls).not.toContain('/api/page/guide/');
    expect((await asked('/content/nothing')).status).toBe(404);
  });

  it('has neither feeds nor pages of reports, uses and statements', async () => {
    for (const path of [
      '/feed',
      '/feed/artist/somebody',
      '/report',
      '/sounds/1/report',
      '/profile/reports',
      '/profile/sounds',
      '/profile/uses',
      `/certificates/${'a'.repeat(22)}/use`,
    ]) {
      expect([path, (await asked(path)).status]).toEqual([path, 404]);
    }
    expect((await asked('/profile/statement')).html).toContain('報酬の内訳をご覧いただけません');
  });

  it('shows everything if it is extended', async () => {
    const show = async (path: string) => (await asked(path, EXTENDED_REPLIES)).html;
    expect(await show('/')).toContain('href="/sounds/1"');
    expect(await show('/')).toContain('href="/contact"');
    expect(await show('/')).toContain('3作品');
    expect(await show('/content/guide')).toContain('All of it.');
    expect(await show('/profile')).toContain('すべての端末からログアウト');
    expect(await show('/sitemap.xml')).toContain('<loc>http://site.test/sitemap-1.xml</loc>');
    expect(await show('/sitemap-1.xml')).toContain(
      '<loc>http://site.test/sounds/2</loc><lastmod>2026-05-03T00:00:00.000Z</lastmod>',
    );
    expect(await show('/sitemap-pages.xml')).not.toContain('/artist/');
    expect(await show('/sounds/1')).toContain('href="/sounds/1/report"');
    expect(await show('/sounds/1/report')).toContain('Tone 1');
  });

  it('has a feed for any listing of its sounds if it is extended', async () => {
    const faults: string[] = [];
    for (const { name, reply } of listOddReplies(EXTENDED_REPLIES[SOUNDS])) {
      if (name.startsWith('instead')) continue;
      for (const path of ['/feed', '/feed?search=tone', '/feed/artist/somebody']) {
        const { status, html } = await asked(path, { ...EXTENDED_REPLIES, [SOUNDS]: reply });
        const expected = isUnreadablePage(reply) ? 503 : 200;
        const found = status !== expected ? [`status ${status}`] : status === 200 ? listAtomFaults(html) : [];
        faults.push(...found.map((fault) => `${path} (${name}): ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

  it('has a site map of its own pages and of the artists on its first pages, however many there are', async () => {
    const calls: string[] = [];
    const { html, status } = await render('/sitemap-pages.xml', (call, query) => {
      if (call !== SOUNDS) return answerWith(FOREIGN_REPLIES)(call, query);
      const page = Number(query.get('page') ?? 1);
      calls.push(query.toString());
      const results = [
        { id: page, artist_name: page === 2 ? 'R&B/a' : `artist ${page}` },
        { id: `0${page}` },
      ];
      return Response.json({ results, next: `?page=${page + 1}` });
    });
    expect(status).toBe(200);
    expect(html).toContain('<loc>http://site.test/artist/artist%201</loc>');
    expect(html).toContain('<loc>http://site.test/artist/R%26B~2Fa</loc>');
    expect(html).not.toContain('/sounds/');
    expect(calls).toHaveLength(5);
    expect((await asked('/sitemap-1.xml')).status).toBe(404);
  });

  it('has the picture of the site on its pages, in its size', async () => {
    for (const path of ['/', '/artist/somebody', '/login']) {
      const { html } = await asked(path);
      expect(html).toContain('<meta property="og:image" content="http://site.test/share.jpg">');
      expect(html).toContain('<meta property="og:image:width" content="1200">');
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
    }
    expect(JSON.parse((await asked('/manifest.json')).html)).toMatchObject({ start_url: '/' });
  });

  it('is searched by the words on its first pages', async () => {
    const { html } = await asked('/sounds?search=tone%202');
    expect(html).toMatch(/「(?:<!-- -->)?tone 2(?:<!-- -->)?」/);
    expect(html.match(/data-sound=/g)).toHaveLength(1);
  });

  it.each([
    [25, [1, 2, 3]],
    [undefined, [1, 2]],
  ])('has the right page links with pages of ten sounds and a count of %s', async (count, pages) => {
    const results = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, title: 'Tone' }));
    const replies = { ...FOREIGN_REPLIES, [SOUNDS]: { results, count, next: `${HOST}${SOUNDS}?page=2` } };
    const { html } = await asked('/sounds', replies);
    expect([...html.matchAll(/aria-label="(\d+)ページ"/g)].map(([, page]) => Number(page))).toEqual(pages);
  });

  it.each(['/sounds?page=9', '/artist/somebody?page=9'])(
    'has an empty page past its end: %s',
    async (path) => {
      const answer: Answer = (call, query) =>
        call === SOUNDS
          ? Response.json({ detail: 'Invalid page.' }, { status: 404 })
          : answerWith(FOREIGN_REPLIES)(call, query);
      const { status, html } = await render(path, answer);
      expect(status).toBe(200);
      expect(html).toContain('このページにはサウンドがありません');
    },
  );

  it('shows a plain list of sounds, and neither cards nor page links of entries without ids', async () => {
    const { results } = FOREIGN_REPLIES[SOUNDS] as { readonly results: readonly object[] };
    for (const path of ['/', '/sounds', '/artist/somebody']) {
      const plain = await asked(path, { ...FOREIGN_REPLIES, [SOUNDS]: results });
      expect([path, plain.status, plain.html.match(/data-sound=/g)?.length]).toEqual([path, 200, 2]);
      const nameless = { count: 900, results: [{ title: 'No id' }, { id: null }], next: '?page=2' };
      const { status, html } = await asked(path, { ...FOREIGN_REPLIES, [SOUNDS]: nameless });
      expect([path, status]).toEqual([path, 200]);
      expect(html).not.toMatch(/data-sound=|No id|page=\d|aria-label="\d+ページ"/);
    }
  });

  it('shows what a missing text shows where nothing of a text is visible', async () => {
    const sound = { id: 1, title: ' \u3000', description: '\u200b', artist_name: 'somebody' };
    const artist = { username: 'somebody', bio: '\u200b \ufeff' };
    const replies = { ...FOREIGN_REPLIES, [SOUNDS]: { results: [sound] }, [ARTIST]: artist };
    expect((await asked('/sounds', replies)).html).toContain('Untitled');
    expect((await asked('/artist/somebody', replies)).html).toContain('somebodyのサウンド一覧');
  });

  it.each(['/sounds?page=3', '/artist/somebody?page=3', '/sounds?page=1&to=3'])(
    'by a cursor has its third page at %s',
    async (path) => {
      const answer: Answer = (call, query) => {
        if (call !== SOUNDS) return answerWith(FOREIGN_REPLIES)(call, query);
        const page = Number(query.get('cursor') ?? 1);
        const next = page < 4 ? `https://other.test${SOUNDS}?cursor=${page + 1}` : null;
        return Response.json({ results: [{ id: page, title: `Tone ${page}` }], next });
      };
      const { status, html } = await render(path, answer);
      expect(status).toBe(200);
      expect(html).toContain('Tone 3');
      expect(html).not.toContain('Tone 4');
      expect(html).toMatch(/page=4|もっと見る/);
    },
  );

  it.each([400, 404, 422])('that refuses a parameter with %s has nothing that fits it', async (status) => {
    const refuse = (replies: Replies): Answer => {
      return (call, query) => {
        const isOdd = query.get('type') === '999' || Number(query.get('page')) > 1;
        if (call === SOUNDS && isOdd) return Response.json({ type: ['Select a valid choice.'] }, { status });
        return answerWith(replies)(call, query);
      };
    };
    const NOTHING = '条件に合うサウンドが見つかりませんでした';
    for (const [path, text, replies = FOREIGN_REPLIES] of [
      ['/sounds?type=999', NOTHING],
      ['/sounds?type=999', '0件'],
      ['/sounds?type=999', 'すべてのサウンドを見る'],
      ['/sounds?type=999&search=tone', '不明な種類を外して探す'],
      ['/sounds?type=999&mood=calm', '不明な種類を外して探す', EXTENDED_REPLIES],
      ['/fragments/sounds?type=999', NOTHING],
      ['/sounds?page=9', 'このページにはサウンドがありません'],
      ['/artist/somebody?type=999', 'この種類のサウンドはまだありません'],
      ['/feed?type=999', '<feed', EXTENDED_REPLIES],
    ] as const) {
      const { status: shown, html, errors: reported } = await render(path, refuse(replies));
      expect([path, shown, html.includes(text), reported]).toEqual([path, 200, true, []]);
    }
    const refuseAll: Answer = (call, query) =>
      call === SOUNDS ? Response.json({}, { status }) : answerWith(FOREIGN_REPLIES)(call, query);
    expect((await render('/sounds', refuseAll)).status, 'nothing was chosen').not.toBe(200);
  });

  it('keeps a page with a failed call out of caches, and caches one where a call is unknown', async () => {
    const withCaching = async (status: number) => {
      const answer: Answer = (path, query) =>
        path === '/api/page/' ? Response.json({}, { status }) : answerWith(FOREIGN_REPLIES)(path, query);
      return (await render('/login', answer)).caching;
    };
    expect(await withCaching(500)).toBe('no-store');
    expect(await withCaching(404)).toBeNull();
  });
});

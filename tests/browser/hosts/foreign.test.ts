import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForeignHost } from '../support/foreign-host.ts';
import { startForeignSite } from '../support/foreign-sites.ts';
import { fillLogin, heartOf, logIn, logOut, readSession, register } from '../support/members.ts';
import { agree, closeAlert, pressDownload } from '../support/notices.ts';
import { useBrowser, visit, waitForAnswers } from '../support/pages.ts';
import type { Site } from '../support/sites.ts';

let host: ForeignHost;
let site: Site;
const { open, newPage } = useBrowser(() => site.url);
/** Calls that only our own host has are 404 here, and browsers log every refused request. */
const allow = /40[014]|Failed to load resource/;

let stop: () => Promise<void>;
beforeAll(async () => {
  ({ host, site, stop } = await startForeignSite());
});
afterAll(() => stop());

const ACCOUNT = { email: 'somebody@example.test', password: 'a long enough one' };

describe('with a host that implements only the specification', () => {
  it('a visitor browses, pages, plays and downloads', async () => {
    const page = await open('/sounds');
    expect(await page.locator('[data-sound]').count()).toBe(20);
    await page.getByRole('link', { name: 'もっと見る' }).click();
    await expect.poll(() => page.locator('[data-sound]').count()).toBe(25);
    await page.locator('[data-play]').first().click();
    await page
      .getByRole('region', { name: 'プレーヤー' })
      .getByRole('button', { name: '一時停止' })
      .waitFor();
    const notices: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/notice/')) notices.push(request.url());
    });
    const arrival = page.waitForEvent('download');
    const called = page.waitForRequest(/\/download\?/);
    await pressDownload(page, 'Tone 1');
    await agree(page);
    expect((await arrival).suggestedFilename()).toBe('Tone 1 - somebody.mp3');
    expect(host.calls.filter((call) => /download|intent/.test(call))).toEqual([
      'POST /api/sounds/1/download?log=false',
    ]);
    await closeAlert(page);
    expect(notices, 'a host without notices is not asked for them').toEqual([]);
    await page.getByRole('region', { name: /ダウンロードを始めました/ }).waitFor();
    expect(await page.getByRole('link', { name: '利用証明書' }).count()).toBe(0);
    expect(new URL((await called).url()).search).toBe('?log=false');
    await page.goto('/artist/somebody');
    expect(await page.locator('h1').innerText()).toBe('somebody');
    expect(host.calls.filter((call) => call.includes('uses'))).toEqual([]);
  });

  it('a visitor cannot move in a sound whose host serves no byte ranges', async () => {
    const page = await open('/sounds');
    await page.locator('[data-play]').first().click();
    // Its files have no byte ranges: another position would be the start.
    const line = page.getByRole('region', { name: 'プレーヤー' }).getByRole('slider', { disabled: true });
    await line.waitFor();
    expect(await line.getAttribute('title')).toBe('このサウンドの再生位置は変えられません');
    const readSec = async () => Number(await line.getAttribute('aria-valuenow'));
    await expect.poll(readSec).toBeGreaterThan(0);
    await line.click({ force: true, position: { x: 1, y: 10 } });
    await page.keyboard.press('ArrowLeft');
    expect(await readSec()).toBeGreaterThan(0);
  });

  it('a visitor reaches every page and artist by its link, whatever characters its name has', async () => {
    const signs = [...'+&:=,?#/@;$%~\\\'"<^ '].map((sign) => `a${sign}b`);
    const names = [
      ...signs,
      '音',
      '..',
      '.',
      '%2e%2e',
      'a%2Fb',
      '50%40off',
      '100%',
      'index.html',
      'about.html',
    ];
    host.replace('GET /api/page/', {
      body: names.map((slug, order) => ({ slug, title: `Page ${slug}`, order })),
    });
    host.replace('GET /api/sounds/', {
      body: {
        results: names.map((artist_name, id) => ({ id, title: `Tone ${id}`, artist_name })),
        next: null,
      },
    });
    // A host cannot be asked for `.` and `..`, which no request can name.
    for (const username of names.filter((name) => !/^\.+$/.test(name)))
      host.replace(
        `GET ${new URL(`/api/account/artist/${encodeURIComponent(username)}/`, host.origin).pathname}`,
        {
          body: { username, bio: `I am ${username}` },
        },
      );
    try {
      // Not by the browser, which would keep an outdated page. The footer is read apart from the list.
      const isShown = async () => {
        const html = await (await fetch(`${site.url}/sounds`)).text();
        return ['/artist/50~2540off', '/content/50~2540off'].every((path) => html.includes(path));
      };
      await expect.poll(isShown).toBe(true);
      const page = await newPage();
      await page.goto('/sounds');
      const readLinks = (links: string) =>
        page.locator(links).evaluateAll((each) => each.map((link) => (link as HTMLAnchorElement).href));
      const pages = await readLinks('footer a[href^="/content/"]');
      const artists = await readLinks('[data-sound] a:has([data-artist])');
      const headings = await page.evaluate(
        async (links) => {
          const documents = [];
          // One by one: a site refuses a visitor who asks for many pages at once.
          for (const link of links) {
            const reply = await fetch(link);
            const html = new DOMParser().parseFromString(await reply.text(), 'text/html');
            documents.push([reply.status, reply.url === link, html.querySelector('h1')?.textContent]);
          }
          return documents;
        },
        [...pages, ...artists],
      );
      expect(headings).toEqual([
        ...names.map((name) => [200, true, `Page ${name}`]),
        ...names.map((name) => [200, true, name]),
      ]);
      for (const name of ['..', 'a/b', 'a\\b', 'a%2Fb', '50%40off']) {
        await page.goto('/sounds');
        await page.locator('[data-artist]').getByText(name, { exact: true }).click();
        await page.locator('h1').getByText(name, { exact: true }).waitFor();
        await page
          .locator('footer')
          .getByRole('link', { name: `Page ${name}`, exact: true })
          .click();
        await page.locator('h1').getByText(`Page ${name}`, { exact: true }).waitFor();
        await page.reload();
        await page.locator('h1').getByText(`Page ${name}`, { exact: true }).waitFor();
      }
    } finally {
      for (const path of ['page/', 'sounds/']) host.replace(`GET /api/${path}`, null);
    }
  });

  it('there are no pages of certificates', async () => {
    const page = await newPage({ allow });
    for (const path of [`/certificates/${'a'.repeat(22)}`, `/licences/${'a'.repeat(64)}`])
      expect((await page.goto(path))?.status(), path).toBe(404);
    expect(host.calls.filter((call) => /certificates|licences/.test(call))).toEqual([]);
  });

  it('a person registers, sees each invalid field, confirms, logs in and sees their profile', async () => {
    const page = await newPage({ allow });
    await register(page, 'somebody', ACCOUNT);
    await page.getByText(ACCOUNT.email).waitFor();

    const twice = await newPage({ allow });
    await register(twice, 'somebody', ACCOUNT);
    for (const message of [
      'A user with that username already exists.',
      'user with this email address already exists.',
    ]) {
      // Once as a toast, once at the field.
      await expect.poll(() => twice.getByText(message).count()).toBe(2);
    }
    expect(await twice.locator('input[name=username]').inputValue()).toBe('somebody');

    await page.goto('/login');
    await fillLogin(page, ACCOUNT);
    await page.getByText('No active account found with the given credentials').first().waitFor();
    const mail = host.mails.at(-1);
    await page.goto(`/login?user=${mail?.uid}&token=nonsense`);
    await page.getByText('Error confirming user').waitFor();
    await page.goto(`/login?user=${mail?.uid}&token=${mail?.token}`);
    await page.getByText('User confirmed. Please login').waitFor();
    await logIn(page, ACCOUNT);
    expect(new URL(page.url()).pathname).toBe('/profile');
    await page.getByRole('main').getByText('somebody').first().waitFor();
  });

  it('a member favourites, and the hearts are filled after a reload', async () => {
    const page = await newPage({ allow });
    await logIn(page, ACCOUNT);
    await visit(page, '/sounds');
    // Until the hearts are known, two presses cancel each other out without a call.
    await waitForAnswers(page);
    await heartOf(page, 'Tone 3').click();
    await heartOf(page, 'Tone 4').dblclick();
    const toggles = () => host.calls.filter((call) => call.includes('/toggle-favorite')).length;
    await expect.poll(toggles).toBe(3);
    await waitForAnswers(page);
    expect(toggles()).toBe(3);
    await page.reload();
    await expect.poll(() => heartOf(page, 'Tone 3').getAttribute('aria-pressed')).toBe('true');
    expect(await heartOf(page, 'Tone 4').getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('link', { name: 'プロフィール' }).click();
    await page.getByRole('link', { name: 'お気に入り曲' }).click();
    await page.getByRole('list', { name: 'お気に入り曲' }).getByText('Tone 3').waitFor();
  });

  it('an expired access token is renewed once for concurrent calls; the refresh token stays', async () => {
    const page = await newPage({ allow });
    await logIn(page, ACCOUNT);
    await visit(page, '/sounds');
    await waitForAnswers(page);
    const before = await readSession(page);
    host.expireAccess();
    const renewals = () => host.calls.filter((call) => call.includes('/token/refresh/')).length;
    const made = renewals();
    await page.evaluate(() => {
      for (const heart of [...document.querySelectorAll<HTMLElement>('.favorite')].slice(10, 20))
        heart.click();
    });
    await waitForAnswers(page);
    await expect.poll(() => renewals() - made).toBe(1);
    await expect.poll(() => page.locator('.favorite[aria-pressed=true]').count()).toBe(11);
    const after = await readSession(page);
    expect(after.token).not.toBe(before.token);
    expect(after.refresh).toBe(before.refresh);
  });

  it('a member edits a profile, sends pictures, reads a month and requests a payout', async () => {
    const page = await newPage({ allow });
    await logIn(page, ACCOUNT);
    await expect.poll(() => page.getByRole('button', { name: 'ユーザー名を編集' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'ユーザー名を編集' }).click();
    const username = page.getByLabel('ユーザー名', { exact: true });
    await username.fill('taken');
    await username.press('Enter');
    await page.getByText('username: A user with that username already exists.').waitFor();
    expect(await username.inputValue()).toBe('taken');
    await page.getByRole('button', { name: 'キャンセル' }).click();

    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: '口座番号を編集' }).click();
    await page.getByLabel('口座番号', { exact: true }).fill('7654321');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await page.getByText('****321').waitFor();

    await page.getByRole('button', { name: 'プロフィール画像を変更' }).click();
    const dialog = page.getByRole('dialog');
    const file = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('host decides') };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: '保存する' }).click();
    await expect
      .poll(() => page.locator('img.artist-picture').getAttribute('src'))
      .toBe(`${host.origin}/pictures/face.png`);

    await page.getByText('¥4,560').first().waitFor();
    await page.getByRole('combobox').selectOption({ index: 1 });
    await page.getByText('¥1,234').waitFor();
    expect(await page.getByText(/内訳|送金依頼の履歴/).count()).toBe(0);
    await page.getByRole('button', { name: '送金を依頼する' }).click();
    await page.getByRole('button', { name: '依頼する', exact: true }).click();
    await page.getByText('送金依頼を受け付けました。').waitFor();
    // The password is requested only when the host requires it.
    expect(await page.getByRole('dialog', { name: 'パスワードの確認' }).count()).toBe(0);
  });

  it('a visitor writes to an artist, and reads the plain text of a refusal', async () => {
    const page = await open('/artist/somebody', { allow });
    await page.getByRole('button', { name: 'メッセージを送る' }).click();
    const field = page.getByRole('dialog').getByRole('textbox');
    await field.fill('refuse me');
    await page.getByRole('button', { name: '送信する' }).click();
    await page.getByText('The mailbox is full.').waitFor();
    await field.fill('すてきな音でした。');
    await page.getByRole('button', { name: '送信する' }).click();
    await page.getByText('メッセージを送信しました。').waitFor();
    expect(host.messages).toEqual([
      { artist_username: 'somebody', text: 'すてきな音でした。', recipient_email: 'mail@example.test' },
    ]);
  });

  it('a failed renewal keeps the session; a refused one ends it', async () => {
    const page = await newPage({ allow: /40[014]|500|Failed to load resource/ });
    await logIn(page, ACCOUNT);
    await visit(page, '/sounds');
    await waitForAnswers(page);
    host.expireAccess();
    host.setRefreshStatus(500);
    await heartOf(page, 'Tone 1').click();
    await page.getByText('not now').waitFor();
    expect((await readSession(page)).token).not.toBeNull();
    expect(await heartOf(page, 'Tone 1').getAttribute('aria-pressed')).toBe('false');
    host.setRefreshStatus(null);
    host.revokeRefresh();
    await heartOf(page, 'Tone 1').click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(await readSession(page)).toEqual({ auth: null, token: null, refresh: null });
    await page.getByRole('alert').getByText('もう一度ログインしてください').waitFor();
  });

  it('a log-in whose token the host refuses says so on the log-in page, until one is accepted', async () => {
    const page = await newPage({ allow: /401|Failed to load resource/ });
    host.setRefreshStatus(401);
    host.replace('GET /api/account/profile/', { status: 401, body: { detail: 'no' } });
    await page.goto('/login');
    await fillLogin(page, ACCOUNT);
    const explanation = page
      .getByRole('main')
      .getByText(
        'ログインの状態をサーバーで確認できなかったため、お手数ですが、もう一度ログインしてください。',
      );
    await explanation.waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await readSession(page)).toEqual({ auth: null, token: null, refresh: null });
    host.setRefreshStatus(null);
    host.replace('GET /api/account/profile/', null);
    await logIn(page, ACCOUNT);
    await page.getByRole('main').getByText('somebody').first().waitFor();
    await page.goBack();
    expect(await explanation.count()).toBe(0);
  });

  it('a visitor reaches the end of a list whose pages the host names by a cursor', async () => {
    const sounds = Array.from({ length: 50 }, (_, at) => ({ id: 100 + at, title: `Turn ${at}` }));
    host.replace('GET /api/sounds/', {
      toBody: (query) => {
        const start = Number(query.get('cursor') ?? 0);
        const next = `http://elsewhere.test/api/sounds/?cursor=${start + 20}`;
        return { results: sounds.slice(start, start + 20), next: start + 20 < sounds.length ? next : null };
      },
    });
    const page = await newPage();
    // Of the other listings, the site may have cached pages with the host's own sounds.
    await visit(page, '/sounds?type=2');
    for (const shown of [40, 50]) {
      await page.locator('#more').click();
      await expect.poll(() => page.locator('[data-sound]').count()).toBe(shown);
    }
    await page.getByText('サウンドはここまでです。').waitFor();
    await page.goto('/sounds?type=2&page=3');
    expect(await page.locator('[data-sound] [data-title]').first().innerText()).toBe('Turn 40');
    host.replace('GET /api/sounds/', null);
  });

  it('a member recovers a password and logs out, without a call that the host lacks', async () => {
    const page = await newPage({ allow });
    await page.goto('/forgot-password');
    await page.locator('input[name=email]').fill(ACCOUNT.email);
    const send = page.getByRole('main').locator('button[type=submit]');
    await expect.poll(() => send.isEnabled()).toBe(true);
    const mails = host.mails.length;
    await send.click();
    await expect.poll(() => host.mails.length).toBe(mails + 1);
    const mail = host.mails.at(-1);
    await page.goto(`/reset-password?uid=${mail?.uid}&token=${mail?.token}`);
    await page.locator('input[name=password]').fill('another long one');
    const save = page.getByRole('main').locator('button[type=submit]');
    await expect.poll(() => save.isEnabled()).toBe(true);
    await save.click();
    await page.getByRole('main').getByRole('link', { name: 'ログイン' }).first().click();
    await page.waitForURL('**/login');
    await logIn(page, { ...ACCOUNT, password: 'another long one' });
    const made = host.calls.length;
    await logOut(page);
    await page.waitForURL((url) => url.pathname === '/');
    expect(await readSession(page)).toEqual({ auth: null, token: null, refresh: null });
    expect(host.calls.slice(made).filter((call) => call.includes('logout'))).toEqual([]);
  });

  it('a visitor searches with the box, and sees no link to features that the host lacks', async () => {
    const page = await open('/sounds');
    expect(await page.locator('a[href*="/sounds/"], a[href="/contact"]').count()).toBe(0);
    expect(await page.getByRole('link', { name: /AI|新着順|Calm/ }).count()).toBe(0);
    await page.getByRole('searchbox').fill('tone 24');
    await expect.poll(() => page.locator('[data-sound] [data-title]').allInnerTexts()).toEqual(['Tone 24']);
    await page.getByRole('status').filter({ hasText: '1件' }).waitFor();
    // A search reads full pages; the list itself may be rendered again meanwhile.
    const searched = 'GET /api/sounds/?page=1&page_size=100';
    expect(host.calls.filter((call) => call === searched)).toHaveLength(1);
    expect(new URL(page.url()).search).toBe('?search=tone+24');
    await page.reload();
    expect(await page.locator('[data-sound] [data-title]').allInnerTexts()).toEqual(['Tone 24']);
    await page.locator('[data-play]').first().click();
    const player = page.getByRole('region', { name: 'プレーヤー' });
    await player.getByText('Tone 24').waitFor();
    expect(await player.getByRole('link').count()).toBe(0);
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.getByRole('heading', { name: 'Guide' }).waitFor();
  });

  it('a member of a host with other guarantees sees no statement of our own', async () => {
    const page = await newPage({ allow });
    await logIn(page, { ...ACCOUNT, password: 'another long one' });
    await page.getByRole('heading', { name: 'ログインの管理' }).waitFor();
    expect(await page.getByText('すべての端末からログアウト').count()).toBe(0);
    expect(await page.getByText('あなたのデータ').count()).toBe(0);
    await page.getByText('個人情報・振込先').click();
    await page.getByRole('button', { name: 'メールアドレスを編集', exact: true }).click();
    expect(await page.getByText('メールのリンクを開くと').count()).toBe(0);
    await visit(page, '/artist/somebody');
    await page.getByRole('button', { name: 'メッセージを送る' }).click();
    await page.getByText('連絡先を本文に書いてください').waitFor();
    expect(await page.getByText('返信用に').count()).toBe(0);
  });

  it('odd replies to a member’s calls break no island', async () => {
    // Omitted entries are reported in the console.
    const page = await newPage({ allow: /40[014]|Failed to load resource|dropped an entry|expected a list/ });
    await logIn(page, { ...ACCOUNT, password: 'another long one' });
    host.replace('GET /api/account/profile/', {
      body: {
        id: '7',
        username: 'somebody',
        is_verified: '1',
        status: 5,
        reward_balance: {},
        months: 'none',
      },
    });
    host.replace('GET /api/sounds/types/', { body: [{ id: '効果音 & BGM', name: null }, { name: 'No id' }] });
    host.replace('GET /api/sounds/', {
      body: { results: [{ title: 'No id' }, { id: 3, title: 12, download_count: '7', sub_genres: 'x' }] },
    });
    try {
      const odd = await page.context().newPage();
      const errors: string[] = [];
      odd.on('pageerror', (error) => errors.push(String(error)));
      await odd.goto('/profile');
      await odd.getByText('ダウンロード: 7').waitFor();
      await odd.getByRole('tab', { name: 'お気に入り曲' }).click();
      await odd.getByText('12', { exact: true }).first().waitFor();
      expect(errors).toEqual([]);
      await odd.close();
    } finally {
      for (const path of ['account/profile/', 'sounds/types/', 'sounds/'])
        host.replace(`GET /api/${path}`, null);
    }
  });

  it('a member of a host that enforces its CSRF token can make changes', async () => {
    host.enforceXsrf();
    const page = await open('/sounds', { allow: /40[0134]|Failed to load resource/ });
    // The cookie arrives with the browser’s first request to the host.
    await page.evaluate((origin) => fetch(`${origin}/api/genres/`, { credentials: 'include' }), host.origin);
    await logIn(page, { ...ACCOUNT, password: 'another long one' });
    await visit(page, '/sounds');
    const toggled = page.waitForResponse(
      (response) => response.url().includes('/toggle-favorite') && response.request().method() === 'POST',
    );
    await heartOf(page, 'Tone 9').click();
    expect((await toggled).status()).toBe(204);
  });
});

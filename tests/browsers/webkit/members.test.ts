import { By, Key } from 'selenium-webdriver';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../browser/support/artists.ts';
import { readMailedLink } from '../../browser/support/members.ts';
import { useSite } from '../../browser/support/sites.ts';
import {
  type Window,
  byName,
  find,
  logIn,
  named,
  press,
  type,
  useWebkit,
  waitUntilGone,
  withText,
  readValue,
} from './webkit.ts';

const site = useSite();
const { open } = useWebkit(() => site.url);

const SOUND = '最新の戦闘音';
const heart = named(`お気に入り：${SOUND}`);
const isPressed = async (window: Window) => (await find(window, heart)).getAttribute('aria-pressed');

describe('in WebKit, a member', () => {
  it('favourites in one tab, and another tab and the profile show it', async () => {
    const window = await open('/login', { width: 768 });
    await logIn(window, await addMember(site, '二つのタブの人'));
    await window.visit('/artist/音の人');
    const first = await window.driver.getWindowHandle();
    await window.driver.switchTo().newWindow('tab');
    await window.visit('/artist/音の人');
    const second = await window.driver.getWindowHandle();
    expect(await isPressed(window)).toBe('false');
    await window.driver.switchTo().window(first);
    await press(window, heart);
    await expect.poll(() => isPressed(window)).toBe('true');
    await window.driver.switchTo().window(second);
    await expect.poll(() => isPressed(window)).toBe('true');
    await window.visit('/profile');
    await press(window, named('お気に入り曲'));
    await find(window, withText(SOUND));
    await window.driver.switchTo().window(first);
    await press(window, heart);
    await expect.poll(() => isPressed(window)).toBe('false');
    await window.driver.switchTo().window(second);
    await window.visit('/artist/音の人');
    await expect.poll(() => isPressed(window)).toBe('false');
  });

  it('registers at 320 px, confirms by mail, keeps the typed text after a wrong password, logs in and out', async () => {
    const window = await open('/register', { width: 320, allow: /status of 40[01]/ });
    const account = { email: 'webkit@example.test', password: 'a long enough one' };
    await type(window, byName('username'), '新しい耳');
    await type(window, byName('email'), account.email);
    await type(window, byName('password'), account.password);
    await press(window, By.css('input[type=checkbox]'));
    await press(window, named('登録する'));
    await find(window, withText(account.email));
    await window.visit(await readMailedLink(site.dataDir, account.email, '/login?'));
    await find(window, withText('User confirmed. Please login'));
    await expect.poll(() => readValue(window, byName('email'))).toBe(account.email);
    await type(window, byName('password'), 'a wrong one', Key.ENTER);
    await find(window, By.xpath('//main//*[contains(text(), "パスワードが違います")]'));
    expect(await readValue(window, byName('email'))).toBe(account.email);
    expect(await readValue(window, byName('password'))).toBe('a wrong one');
    await type(window, byName('password'), Key.chord(Key.CONTROL, 'a'));
    await type(window, byName('password'), account.password, Key.ENTER);
    await find(window, withText('新しい耳'));
    expect(new URL(await window.driver.getCurrentUrl()).pathname).toBe('/profile');
    // The messages cover the menu for a while.
    await waitUntilGone(window, By.css('[data-sonner-toast]'));
    await press(window, named('ログアウト', 'nav'));
    await find(window, named('ログイン', 'nav'));
    await expect.poll(async () => new URL(await window.driver.getCurrentUrl()).pathname).toBe('/');
    await window.visit('/profile');
    await find(window, byName('password'));
  });
});

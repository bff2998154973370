import { By } from 'selenium-webdriver';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseOf } from '#support/http/host.ts';
import { addMember } from '../../browser/support/artists.ts';
import { addApplications } from '../../browser/support/console.ts';
import type { Account } from '../../browser/support/members.ts';
import { useOwnSite } from '../../browser/support/sites.ts';
import { find, logIn, pressKeys, readText, useWebkit, waitUntilGone, withText } from './webkit.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const site = useOwnSite();
const { open } = useWebkit(() => site.url);
let staff: Account;
beforeAll(async () => {
  staff = await addMember(site, '運営', { is_staff: true });
  await addApplications(site, 3);
});

/** The numbers of the applications that are approved. */
const listApproved = () =>
  withDatabaseOf(site.dataDir, async ({ db }) => {
    const rows = await everyTable(db)
      .selectFrom('quality_checks')
      .select('id')
      .where('state', '=', 'approved')
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => Number(id.replace('application', '')));
  });

describe('in WebKit, the console', () => {
  it('takes a decision back, sends it after 5 s, and sends one at once when the tab is left', async () => {
    const window = await open('/login', { width: 1440 });
    await logIn(window, staff);
    await window.visit('/operator/quality-checks');
    const applicant = By.css('#applicant');
    const held = withText('申請者1 さんを合格にします');
    await expect.poll(() => readText(window, applicant)).toBe('申請者1');
    const approve = async () => {
      await find(window, By.css('.desk-file'));
      await find(window, By.css('button[aria-keyshortcuts=E]:enabled'));
      await pressKeys(window, 'e');
    };
    await approve();
    await find(window, held);
    await expect.poll(() => readText(window, applicant)).toBe('申請者2');
    await pressKeys(window, 'z');
    await expect.poll(() => readText(window, applicant)).toBe('申請者1');
    await waitUntilGone(window, held);
    await approve();
    await find(window, held);
    expect(await listApproved()).toEqual([]);
    await expect.poll(listApproved).toEqual([1]);
    await expect.poll(() => readText(window, applicant)).toBe('申請者2');
    await approve();
    await find(window, withText('申請者2 さんを合格にします'));
    expect(await listApproved()).toEqual([1]);
    await window.visit('/api/docs');
    await expect.poll(listApproved, { timeout: 3_000 }).toEqual([1, 2]);
  });
});

import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { markPending } from '#server/features/reviews/life-cycle.ts';
import { QUALITY_CHECK } from '#server/features/reviews/quality-check/kind.ts';
import { insertIncoming } from '#server/features/reviews/quality-check/queries.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { withDatabaseOf } from '#support/http/host.ts';
import { openAsMember } from './members.ts';
import { type OpenOptions, useBrowser } from './pages.ts';
import { type Site, useOwnSite } from './sites.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** 運営, who uses the console. */
export const STAFF = { email: 'staff@example.test', password: 'member password' };
/** The address of 別の運営, who acts on the command line. */
export const OTHER_STAFF = 'other@example.test';

/** A site for the tests of a page of the console, with two members of staff. */
export function useConsole(settings?: Parameters<typeof useOwnSite>[0]) {
  const { site, open, newPage } = useBrowser(useOwnSite(settings));
  beforeAll(() =>
    withDatabaseOf(site.dataDir, async (database) => {
      const password_hash = await hashPassword(STAFF.password);
      await createUser(database, { username: '運営', email: STAFF.email, is_staff: true, password_hash });
      await createUser(database, { username: '別の運営', email: OTHER_STAFF, is_staff: true });
    }),
  );

  const openConsole = (path: string, allow?: RegExp, options: OpenOptions = {}) =>
    openAsMember(newPage({ ...options, ...(allow && { allow }) }), STAFF, path);

  /** As if the password had been given hours ago. */
  const forgetPassword = () =>
    withDatabaseOf(site.dataDir, ({ db }) =>
      everyTable(db).updateTable('sessions').set({ authenticated_at: 0 }).execute(),
    );

  return { site, open, newPage, openConsole, forgetPassword };
}

/** Members, 申請者1 first, whose quality checks wait with three files each: every six hours, one more. */
export function addApplications({ dataDir }: Site, count: number): Promise<void> {
  return withDatabaseOf(dataDir, async (database) => {
    const storage = await openStorage({ kind: 'folder', path: join(dataDir, 'files') });
    const songs = await Promise.all([1, 2, 3].map((index) => makeMp3(index / 2)));
    for (let number = 1; number <= count; number += 1) {
      const user_id = await createUser(database, {
        username: `申請者${number}`,
        email: `applicant-${number}@example.test`,
        status: 'pending',
      });
      const id = `application${number}`;
      for (const [index, song] of songs.entries()) {
        await storage.put(`quality-check/${id}-${index + 1}`, Readable.from([song]));
      }
      const files = songs.map((song, index) => ({
        slot: index + 1,
        object_key: `quality-check/${id}-${index + 1}`,
        filename: `${index + 1}曲目.mp3`,
        mime: 'audio/mpeg',
        size_bytes: song.byteLength,
        duration_ms: (index + 1) * 500,
        bit_rate: 96,
        sample_rate: 44_100,
        sha256: `${number}-${index}`,
      }));
      await insertIncoming(database.db, { id, user_id, submitted_at: number }, [1], files);
      await markPending(database.db, QUALITY_CHECK, id, Date.now() - (count - number) * 6 * 3_600_000);
    }
  });
}

/** Answers the prompt for the password. */
export async function givePassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'パスワードの確認' });
  await dialog.locator('input[name=password]').fill(STAFF.password);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
}

/** Plays the sound in a part of the page; its position after a moment. */
export function playSound(page: Page, part: string): Promise<number> {
  return page
    .locator(`${part} audio`)
    .first()
    .evaluate(async (audio: HTMLAudioElement) => {
      await audio.play();
      await new Promise((resolve) => audio.addEventListener('timeupdate', resolve, { once: true }));
      return audio.currentTime;
    });
}

/** Fails where a table is wider than a phone, or a control of it is out of view. */
export async function expectNarrowTable(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height: 844 });
  const outside = await page.locator('.console-scroll').evaluateAll((tables) =>
    tables
      .flatMap((table) => [table, ...table.querySelectorAll('td, button, input')])
      .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > 390)
      .map((each) => each.textContent),
  );
  expect(outside).toEqual([]);
  await page.setViewportSize({ width, height });
}

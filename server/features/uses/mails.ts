import type { Platform } from '../../platform/http/context.ts';
import { queueMail } from '../mail/service.ts';
import { toMail } from '../mail/layout.ts';
import { MAIL_PAUSE_MS } from './limits.ts';
import { countWaiting, recordCheck, selectUnchecked } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

type MailDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'>;

const ARTISTS_AT_ONCE = 200;

/**
 * Mails artists who want it how many uses came in a week, unless none did. Exactly one process mails an artist, and each
 * artist is checked once a week. The mail contains no text of those who reported a use.
 */
export async function mailNewUses(deps: MailDeps): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  for (;;) {
    const artists = await selectUnchecked(database.db, nowMs - MAIL_PAUSE_MS, ARTISTS_AT_ONCE);
    for (const artist of artists) {
      await database.db.transaction().execute(async (transaction: Handle) => {
        if (!(await recordCheck(transaction, artist, nowMs))) return;
        const { user_id, checked_at, username, email } = artist;
        const count = await countWaiting(transaction, user_id, checked_at);
        if (count === 0) return;
        const mail = toMail(deps, email, `使用報告が${count}件届いています`, [
          `${username} さん`,
          `この1週間に、あなたのサウンドを使った作品の報告が${count}件届き、確認を待っています。確認した作品だけが、サウンドとアーティストのページに表示されます。`,
          { label: '使用報告は、次のページで確認できます。', url: `${deps.siteUrl}/profile/uses` },
          'このメールは、同じページで止められます。',
        ]);
        await queueMail(transaction, mail, nowMs);
      });
    }
    if (artists.length < ARTISTS_AT_ONCE) return;
  }
}

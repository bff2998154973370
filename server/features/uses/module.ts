import * as calls from '../../../contract/artists/uses.ts';
import type { OwnUse, Use } from '../../../contract/artists/uses.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { readPublic } from '../../platform/database/replica.ts';
import { READS, accepted, byAddress, byMember, byNetwork } from '../../platform/http/access.ts';
import { parseCursor, toCursor } from '../../platform/http/cursors.ts';
import { Problem } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Rule } from '../../platform/http/access.ts';
import { findArtist } from '../artists/service.ts';
import type { Feature } from '../feature.ts';
import { USES_ERASURE } from './erasure.ts';
import { USES_FILE } from './export.ts';
import { USE_ROUTES } from './desk.ts';
import { decideUses } from './decisions.ts';
import * as limits from './limits.ts';
import { mailNewUses } from './mails.ts';
import { isMailWanted, selectOwnUses, selectConfirmedUses, setMailWanted } from './queries.ts';
import type { UseRow } from './queries.ts';
import { submitUse } from './submission.ts';

const DECIDING: Rule<'member'> = { caller: 'member', owner: 'own', limits: [byMember(limits.USE_DECISIONS)] };

/** Works in which sounds were used: told by downloaders, confirmed by artists. */
export const usesFeature: Feature = {
  name: 'uses',
  desk: USE_ROUTES,
  queues: [{ name: 'uses', table: 'uses', states: ['reported'], since: 'created_at' }],
  apiTexts: () => import('./api-texts.ts'),
  erasure: USES_ERASURE,
  exports: [USES_FILE],
  createModule: () => ({
    scheduledJobs: (platform) => [
      { name: 'mails about uses', run: () => mailNewUses(platform) },
      { name: 'old uses', run: () => deleteOldUses(platform) },
    ],
    routes: [
      route(
        calls.tellUse,
        {
          caller: 'anyone not blocked',
          owner: 'secret',
          limits: [
            byAddress(limits.USE_CALLS),
            accepted(byAddress(limits.USES)),
            accepted(byNetwork(limits.USES_OF_NETWORK)),
          ],
        },
        async ({ params, body }, platform: Platform) => {
          await submitUse(platform, params.id, body);
          return { detail: '使用報告を送信しました。アーティストの確認を待っています。' };
        },
      ),

      route(
        calls.listUses,
        { caller: 'anyone', owner: 'public', limits: [READS] },
        async ({ query: { sound, artist } }, { database }: Platform) => {
          if (sound === undefined && artist === undefined) {
            throw new Problem(400, 'sound か artist を指定してください。');
          }
          const rows = await readPublic(database, async (source) => {
            if (sound !== undefined) {
              return isId(sound) ? selectConfirmedUses(source.db, ['sound_id', sound]) : [];
            }
            const found = await findArtist(source, artist ?? '');
            return found === undefined ? [] : selectConfirmedUses(source.db, ['artist_id', found.id]);
          });
          return { results: rows.map(toUse) };
        },
      ),

      route(
        calls.listOwnUses,
        { caller: 'member', owner: 'own', limits: [READS] },
        async ({ query: { state = 'waiting', cursor }, caller }, { database: { db } }: Platform) => {
          const after = cursor === undefined ? null : parseCursor(cursor);
          const rows = await selectOwnUses(db, caller.id, { state, after });
          const page = rows.slice(0, calls.OWN_USES_PAGE_SIZE);
          const last = rows.length > page.length ? page.at(-1) : undefined;
          return {
            results: page.map(toOwnUse),
            next: last === undefined ? null : toCursor({ time: last.created_at, id: last.id }),
            is_mailed: await isMailWanted(db, caller.id),
          };
        },
      ),

      route(calls.decideUses, DECIDING, async ({ body, caller }, platform: Platform) => {
        await decideUses(platform, caller.id, body.ids, body.state);
        return { detail: '使用報告を更新しました。' };
      }),

      route(calls.setUseMails, DECIDING, async ({ body, caller }, { database, clock }: Platform) => {
        await setMailWanted(database.db, caller.id, body.is_mailed, clock.now());
        return { detail: '設定を保存しました。' };
      }),
    ],
  }),
};

/** Deletes uses that nobody decided about, and hidden ones. Reported ones wait for the staff. */
async function deleteOldUses({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  for (const [state, keptMs] of [
    ['waiting', limits.WAITING_RETENTION_MS],
    ['hidden', limits.HIDDEN_RETENTION_MS],
  ] as const) {
    await deleteOlder(database.db, {
      table: 'uses',
      when: ['changed_at', '<', clock.now() - keptMs],
      also: (where) => where('state', '=', state),
    });
  }
}

function toUse({ id, address, title, sound_id, sound_title }: UseRow): Use {
  return { id, address, title, sound: sound_id, sound_title };
}

function toOwnUse(row: UseRow): OwnUse {
  const { state, message, created_at } = row;
  return { ...toUse(row), state, message, created_at: new Date(created_at).toISOString() };
}

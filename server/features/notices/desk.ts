import type { AdProviderName } from '../../../contract/downloads/ads.ts';
import { toNumber } from '../../../contract/values/digits.ts';
import {
  NoticeFieldsSchema,
  addNotice as addNoticeCall,
  changeNotice as changeNoticeCall,
  listNotices,
  moveNotice as moveNoticeCall,
  removeNotice as removeNoticeCall,
} from '../../../contract/operator/notices.ts';
import type { NoticeFields } from '../../../contract/operator/notices.ts';
import { formRoute, route } from '../../platform/http/route.ts';
import { parseInput } from '../../platform/http/problem.ts';
import { requireFile } from '../../platform/http/form.ts';
import type { Form } from '../../platform/http/form.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { addNotice, changeNotice, moveNotice, removeNotice } from './changes.ts';
import { selectListed, toNotice, toNoticeVersion, toPeriod, toVersion } from './rows.ts';
import { CHANGING_SITE, READING } from '../staff/rules.ts';

export interface NoticeOptions {
  /** The providers whose advertisements visitors see. */
  readonly adProviders: readonly AdProviderName[];
}

/** The notices before downloads. */
export const NOTICE_ROUTES: readonly Route<Platform & NoticeOptions>[] = [
  route(listNotices, READING, async (_, { database, clock, adProviders }) => {
    const rows = await selectListed(database.db);
    const nowMs = clock.now();
    return {
      version: toVersion(rows),
      results: rows.map((row) => {
        const [fromMs, untilMs] = toPeriod(row);
        return {
          state: nowMs < fromMs ? 'waiting' : nowMs < untilMs ? 'shown' : 'ended',
          notice: toNotice(row),
          from: row.shown_from,
          until: row.shown_until,
          version: toNoticeVersion(row),
        } as const;
      }),
      is_used: adProviders.includes('house'),
    };
  }),

  formRoute(addNoticeCall, CHANGING_SITE, {}, async ({ caller, form }, deps) => {
    const file = requireFile(form, 'file');
    const captions = form.files.get('captions');
    const files = { file, captions: captions?.sizeBytes === 0 ? undefined : captions };
    return { version: await addNotice(deps, caller.id, readFields(form), files) };
  }),

  route(changeNoticeCall, CHANGING_SITE, async ({ body: { id, version, ...fields }, caller }, deps) => ({
    version: await changeNotice(deps, caller.id, { id, version }, fields),
  })),

  route(moveNoticeCall, CHANGING_SITE, async ({ body: { version, index, to }, caller }, deps) => ({
    version: await moveNotice(deps, caller.id, { version, index }, to),
  })),

  route(removeNoticeCall, CHANGING_SITE, async ({ body: { version, index }, caller }, deps) => ({
    version: await removeNotice(deps, caller.id, { version, index }),
  })),
];

/** Throws `Problem` 400 that names each invalid field. */
function readFields({ texts }: Form): NoticeFields {
  const read = (name: string) => texts.get(name)?.at(-1) ?? '';
  return parseInput(NoticeFieldsSchema, {
    text: read('text'),
    link: read('link'),
    seconds: toNumber(read('seconds')),
    from: read('from'),
    until: read('until'),
  });
}

import type { AdProviderName } from '../../../contract/ads.ts';
import { toNumber } from '../../../contract/digits.ts';
import {
  NoticeFieldsSchema,
  addNotice as addNoticeCall,
  changeNotice as changeNoticeCall,
  listNotices,
  moveNotice as moveNoticeCall,
  removeNotice as removeNoticeCall,
} from '../../../contract/operator-notices.ts';
import type { NoticeFields } from '../../../contract/operator-notices.ts';
import {
  byMember,
  declare,
  parseInput,
  requireFile,
  requireMember,
  serve,
  serveForm,
} from '../../platform/http/http.ts';
import type { Access, Api, Form } from '../../platform/http/http.ts';
import {
  addNotice,
  changeNotice,
  moveNotice,
  removeNotice,
  selectListed,
  toNotice,
  toPeriod,
  toVersion,
} from '../notices/notices.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

export interface NoticeOptions {
  /** The providers whose advertisements visitors see. */
  readonly adProviders: readonly AdProviderName[];
}

const recently = 'staff with recent log-in';
export const NOTICES_ACCESS: readonly Access[] = [
  declare(listNotices, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(addNoticeCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(changeNoticeCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(moveNoticeCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(removeNoticeCall, recently, 'site', byMember(CONSOLE_DECISIONS)),
];

/** The notices before downloads. */
export function serveNotices(api: Api, { adProviders }: NoticeOptions): void {
  const { platform } = api;

  serve(api, listNotices, async () => {
    const rows = await selectListed(platform.database.db);
    const nowMs = platform.clock.now();
    return {
      version: toVersion(rows),
      results: rows.map((row) => {
        const [fromMs, untilMs] = toPeriod(row);
        return {
          state: nowMs < fromMs ? 'waiting' : nowMs < untilMs ? 'shown' : 'ended',
          notice: toNotice(row),
          from: row.shown_from,
          until: row.shown_until,
        } as const;
      }),
      is_used: adProviders.includes('house'),
    };
  });

  serveForm(api, addNoticeCall, {}, async ({ caller, form }) => {
    const file = requireFile(form, 'file');
    const captions = form.files.get('captions');
    const files = { file, captions: captions?.sizeBytes === 0 ? undefined : captions };
    return { version: await addNotice(platform, caller.id, readFields(form), files) };
  });

  serve(api, changeNoticeCall, async ({ body: { version, index, ...fields }, caller }) => ({
    version: await changeNotice(platform, requireMember({ caller }).id, { version, index }, fields),
  }));

  serve(api, moveNoticeCall, async ({ body: { version, index, to }, caller }) => ({
    version: await moveNotice(platform, requireMember({ caller }).id, { version, index }, to),
  }));

  serve(api, removeNoticeCall, async ({ body: { version, index }, caller }) => ({
    version: await removeNotice(platform, requireMember({ caller }).id, { version, index }),
  }));
}

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

import * as v from 'valibot';
import type { AdProviderName } from '../../../contract/ads.ts';
import {
  NOTICES_MAX,
  NoticeFieldsSchema,
  addNotice as addNoticeCall,
  changeNotice as changeNoticeCall,
  listNotices,
  moveNotice as moveNoticeCall,
  removeNotice as removeNoticeCall,
} from '../../../contract/operator-notices.ts';
import type { ListedNotice, NoticeFields } from '../../../contract/operator-notices.ts';
import {
  byMember,
  declare,
  requireFile,
  requireMember,
  serve,
  serveForm,
  toProblem,
} from '../../platform/http/http.ts';
import type { Access, Api, Form } from '../../platform/http/http.ts';
import { addNotice, changeNotice, moveNotice, removeNotice, requireWritable } from '../notices/notices.ts';
import type { ListedEntry, Notices } from '../notices/notices.ts';
import { CONSOLE_DECISIONS, CONSOLE_READS } from './limits.ts';

export interface NoticeOptions {
  readonly notices: Pick<Notices, 'readList' | 'folder'>;
  /** The providers whose advertisements visitors see. */
  readonly adProviders: readonly AdProviderName[];
}

export const NOTICES_ACCESS: readonly Access[] = [
  declare(listNotices, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(addNoticeCall, 'staff', 'staff', byMember(CONSOLE_DECISIONS)),
  declare(changeNoticeCall, 'staff', 'staff', byMember(CONSOLE_DECISIONS)),
  declare(moveNoticeCall, 'staff', 'staff', byMember(CONSOLE_DECISIONS)),
  declare(removeNoticeCall, 'staff', 'staff', byMember(CONSOLE_DECISIONS)),
];

/** The notices before downloads. Their folder with its list is the only place where they are kept. */
export function serveNotices(api: Api, { notices, adProviders }: NoticeOptions): void {
  const { platform } = api;
  const { folder } = notices;
  const toDeps = () => ({ database: platform.database, clock: platform.clock, folder });

  serve(api, listNotices, async () => {
    const { entries, version, problem } = await notices.readList();
    const nowMs = platform.clock.now();
    return {
      version,
      results: entries.slice(0, NOTICES_MAX).map((entry) => toListed(entry, nowMs)),
      problem,
      is_used: adProviders.includes('house'),
    };
  });

  serveForm(api, addNoticeCall, { admit: () => requireWritable(folder) }, async ({ caller, form }) => {
    const file = requireFile(form, 'file');
    const captions = form.files.get('captions');
    const files = { file, captions: captions?.sizeBytes === 0 ? undefined : captions };
    return { version: await addNotice(toDeps(), caller.id, readFields(form), files) };
  });

  serve(api, changeNoticeCall, async ({ body: { version, index, ...fields }, caller }) => ({
    version: await changeNotice(toDeps(), requireMember({ caller }).id, { version, index }, fields),
  }));

  serve(api, moveNoticeCall, async ({ body: { version, index, to }, caller }) => ({
    version: await moveNotice(toDeps(), requireMember({ caller }).id, { version, index }, to),
  }));

  serve(api, removeNoticeCall, async ({ body: { version, index }, caller }) => ({
    version: await removeNotice(toDeps(), requireMember({ caller }).id, { version, index }),
  }));
}

/** Throws `Problem` 400 that names each invalid field. */
function readFields({ texts }: Form): NoticeFields {
  const read = (name: string) => texts.get(name)?.at(-1) ?? '';
  const seconds = read('seconds').trim();
  const result = v.safeParse(NoticeFieldsSchema, {
    text: read('text'),
    link: read('link'),
    seconds: seconds === '' ? undefined : Number(seconds),
    from: read('from'),
    until: read('until'),
  });
  if (!result.success) throw toProblem(result.issues);
  return result.output;
}

function toListed(listed: ListedEntry, nowMs: number): ListedNotice {
  if (listed.state === 'broken') {
    return { state: 'broken', notice: null, from: '', until: '', problem: listed.problem };
  }
  const { notice, entry, fromMs, untilMs } = listed;
  const state = nowMs < fromMs ? 'waiting' : nowMs < untilMs ? 'shown' : 'ended';
  return { state, notice, from: entry.from ?? '', until: entry.until ?? '', problem: '' };
}

import * as v from 'valibot';
import {
  type ListedAnnouncement,
  addAnnouncement,
  changeAnnouncement,
  endAnnouncement,
  listAnnouncements,
  removeAnnouncement,
} from '../../../../contract/operator/announcements.ts';
import { toMinute } from '../../../../contract/operator/minutes.ts';
import { callApi } from '../../../api/browser.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { memberSignal } from '../../../stores/shared/member-atom.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';
import { createVersioned } from '../../../stores/shared/versioned.ts';

/** The latest beginning first. */
export const $announcements = staffQuery<readonly ListedAnnouncement[]>(
  'announcements',
  async (signal) => (await callApi(listAnnouncements, { signal })).results,
);

/** What is typed; times are minutes in Japan. */
const Fields = v.object({
  text: v.string(),
  link: v.string(),
  is_for_members: v.boolean(),
  begins: v.string(),
  ends: v.string(),
});

/** How long a new one is shown unless someone chooses other times. */
const DEFAULT_MS = 7 * 24 * 3_600_000;

const NEW = { text: '', link: '', audience: 'everyone' } as const;

function toDraft({
  text,
  link,
  audience,
  begins_at,
  ends_at,
}: Pick<ListedAnnouncement, 'text' | 'link' | 'audience' | 'begins_at' | 'ends_at'>) {
  const [begins, ends] = [toMinute(begins_at), toMinute(ends_at)];
  return { text, link, is_for_members: audience === 'members', begins, ends };
}

/** The form of an announcement; null for a new one. */
export function createAnnouncementForm(listed: ListedAnnouncement | null) {
  const id = listed?.id ?? '';
  const versioned = createVersioned(listed?.updated_at ?? null, async () => {
    const { results } = await callApi(listAnnouncements, { signal: memberSignal() });
    const saved = results.find((each) => each.id === id);
    return saved ? { version: saved.updated_at, values: toDraft(saved) } : null;
  });
  return createForm({
    schema: Fields,
    initial: toDraft(listed ?? { ...NEW, begins_at: Date.now(), ends_at: Date.now() + DEFAULT_MS }),
    explain: ({ problems }) => problems,
    versioned,
    async send({ is_for_members, ...typed }) {
      const body = { ...typed, audience: is_for_members ? ('members' as const) : ('everyone' as const) };
      try {
        await versioned.send((updated_at) =>
          updated_at === null
            ? callApi(addAnnouncement, { body })
            : callApi(changeAnnouncement, { params: { id }, body: { ...body, updated_at } }),
        );
      } finally {
        $announcements.revalidate();
      }
      showToast('success', '保存しました。表示中のものは、1分以内に公開ページに反映されます。');
    },
  });
}

/** Ends an announcement after a question. Never throws. */
export function endNow(announcement: ListedAnnouncement): Promise<void> {
  const texts = { text: '1分以内に、公開ページから消えます。', action: '終了する', done: '終了しました' };
  return confirmAndSend(announcement, endAnnouncement, { title: '告知を終了しますか？', ...texts });
}

/** Deletes an announcement after a question. Never throws. */
export function remove(announcement: ListedAnnouncement): Promise<void> {
  const texts = { text: announcement.text, action: '削除する', done: '削除しました' };
  return confirmAndSend(announcement, removeAnnouncement, { title: '告知を削除しますか？', ...texts });
}

async function confirmAndSend(
  { id, updated_at }: ListedAnnouncement,
  call: typeof endAnnouncement | typeof removeAnnouncement,
  { done, ...question }: { title: string; text: string; action: string; done: string },
): Promise<void> {
  if (!(await ask(question))) return;
  const send = { params: { id }, body: { updated_at } };
  await attempt(() => callApi(call as typeof endAnnouncement, send), { done });
  $announcements.revalidate();
}

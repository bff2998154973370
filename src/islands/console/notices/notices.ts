import * as v from 'valibot';
import type { Notice } from '../../../../contract/downloads/ads.ts';
import { toNumber } from '../../../../contract/values/digits.ts';
import {
  type ListedNotice,
  NOTICE_FILE_BYTES_MAX,
  type NoticeListing,
  addNotice,
  changeNotice,
  listNotices,
  moveNotice as moveNoticeCall,
  removeNotice as removeNoticeCall,
} from '../../../../contract/operator/notices.ts';
import { parseUrl } from '../../../../contract/values/urls.ts';
import { systemClock } from '../../../lib/clock.ts';
import { type Watch, startWatch } from '../../../ads/watching.ts';
import { callApi } from '../../../api/browser.ts';
import { uploadForm } from '../../../api/upload.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createForm } from '../../../stores/shared/form.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';
import { createVersioned } from '../../../stores/shared/versioned.ts';

const LIMIT = `${NOTICE_FILE_BYTES_MAX / 1024 / 1024}MBまでのファイルを選んでください。`;
/** Why a file cannot be sent; undefined if it can. */
export const toFileFault = (file: unknown) =>
  file instanceof File && file.size > NOTICE_FILE_BYTES_MAX ? LIMIT : undefined;
const NoticeFile = v.optional(
  v.pipe(
    v.file(),
    v.check((file) => toFileFault(file) === undefined, LIMIT),
  ),
);
/** What is typed and chosen; `seconds` as typed, times as minutes in Japan. */
const NoticeFields = v.object({
  text: v.string(),
  link: v.string(),
  seconds: v.string(),
  from: v.string(),
  until: v.string(),
  file: NoticeFile,
  captions: NoticeFile,
});
type NoticeDraft = v.InferOutput<typeof NoticeFields>;

export interface OpenNotice {
  readonly state: 'open';
  readonly form: ReturnType<typeof createNoticeForm>;
  /** The notice that is changed; null for a new one. */
  readonly before: Notice | null;
  /** The sent part of a new one, from 0 to 1. */
  readonly share: number;
}
export type NoticeEditor = { readonly state: 'closed' } | OpenNotice;

const EMPTY: NoticeDraft = { text: '', link: '', seconds: '15', from: '', until: '' };

/** The notices in the order of the list. */
export const $notices = staffQuery<NoticeListing>('notices', (signal) => callApi(listNotices, { signal }));

export const $noticeEditor = memberAtom<NoticeEditor>({ state: 'closed' });
/** The open preview of a notice, as visitors see it. */
export const $noticePreview = memberAtom<Watch | null>(null, (watch) => watch?.dispose());

export function isNoticeUnsaved(): boolean {
  const editor = $noticeEditor.get();
  return editor.state === 'open' && editor.form.$isDirty.get();
}

/** Opens the form for a new notice. */
export function startNotice(): void {
  open(EMPTY, null);
}

/** Opens the form for a notice of the list. */
export function editNotice(listed: ListedNotice): void {
  open(toDraft(listed), listed);
}

function toDraft({ notice: { text, link, seconds }, from, until }: ListedNotice): NoticeDraft {
  return { text, link: link ?? '', seconds: String(seconds), from, until };
}

function open(initial: NoticeDraft, listed: ListedNotice | null): void {
  const form = createNoticeForm(initial, listed);
  $noticeEditor.set({ state: 'open', form, before: listed?.notice ?? null, share: 0 });
}

function createNoticeForm(initial: NoticeDraft, listed: ListedNotice | null) {
  const versioned = createVersioned(listed?.version ?? null, async () => {
    const { results } = await callApi(listNotices, { signal: memberSignal() });
    const saved = results.find(({ notice }) => notice.id === listed?.notice.id);
    return saved ? { version: saved.version, values: toDraft(saved) } : null;
  });
  return createForm({
    schema: NoticeFields,
    initial,
    explain: ({ problems }) => problems,
    versioned,
    async send(draft) {
      const signal = memberSignal();
      try {
        await versioned.send((version) =>
          listed === null ? sendNew(draft) : sendChange(listed.notice.id, version ?? '', draft),
        );
      } finally {
        $notices.revalidate();
      }
      if (signal.aborted) return;
      showToast('success', '保存しました。5秒以内に反映されます。');
      $noticeEditor.set({ state: 'closed' });
    },
  });
}

/** Whether a chosen file is a video, which can have captions. */
export function isVideo(file: unknown): boolean {
  return file instanceof File && /\.(?:mp4|webm)$/i.test(file.name);
}

/** Closes the form; asks first if something would be lost. */
export async function closeNotice(): Promise<void> {
  const text = '保存していない内容は失われます。';
  if (isNoticeUnsaved() && !(await ask({ title: '編集をやめますか？', text, action: 'やめる' }))) return;
  $noticeEditor.set({ state: 'closed' });
}

async function sendNew(draft: NoticeDraft): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(draft)) if (value !== undefined) form.set(name, value);
  await uploadForm(addNotice, form, {
    signal: memberSignal(),
    onProgress(share) {
      const editor = $noticeEditor.get();
      if (editor.state === 'open') $noticeEditor.set({ ...editor, share });
    },
  });
}

async function sendChange(id: string, version: string, draft: NoticeDraft): Promise<void> {
  await callApi(changeNotice, { body: { ...draft, seconds: toNumber(draft.seconds), id, version } });
}

/** Moves a notice in the list. Never throws. */
export function moveNotice(version: string, index: number, to: number): Promise<void> {
  return sendAndReload(() => callApi(moveNoticeCall, { body: { version, index, to } }));
}

/** Removes a notice after a question. Never throws. */
export async function removeNotice(version: string, index: number, { notice }: ListedNotice): Promise<void> {
  const title = `「${notice.text}」を削除しますか？`;
  const text = 'この広告は表示されなくなり、ファイルは2時間以内に消えます。';
  if (!(await ask({ title, text, action: '削除する' }))) return;
  await sendAndReload(() => callApi(removeNoticeCall, { body: { version, index } }));
}

async function sendAndReload(send: () => Promise<unknown>): Promise<void> {
  await attempt(send);
  $notices.revalidate();
}

/** Shows a notice as visitors see it, without a download. */
export async function showNotice(notice: Notice): Promise<void> {
  $noticePreview.get()?.dispose();
  const watch = startWatch({ notice, clock: systemClock, report: () => Promise.resolve(null) });
  $noticePreview.set(watch);
  const outcome = await watch.outcome;
  if ($noticePreview.get() === watch) $noticePreview.set(null);
  if (outcome === 'failed') showToast('error', 'このファイルは、お使いのブラウザーでは表示できません');
}

/** Shows the notice of the form; nothing without a file and a usable number of seconds. */
export async function showNoticeDraft({ form, before }: OpenNotice): Promise<void> {
  const { text, link, seconds: typed, file, captions } = form.$values.get() as NoticeDraft;
  const seconds = toNumber(typed);
  const urls = [file, captions].map((each) => (each ? URL.createObjectURL(each) : null));
  const [url = null, captionsUrl = null] = before ? [before.url, before.captions] : urls;
  if (url !== null && seconds > 0) {
    const kind = before?.kind ?? (isVideo(file) ? 'video' : 'picture');
    const validLink = parseUrl(link) ? link : null;
    await showNotice({ id: 'preview', kind, url, text, captions: captionsUrl, link: validLink, seconds });
  }
  for (const each of urls) if (each !== null) URL.revokeObjectURL(each);
}

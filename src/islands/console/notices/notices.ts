import type { Notice } from '../../../../contract/ads.ts';
import { toNumber } from '../../../../contract/digits.ts';
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
import { parseUrl } from '../../../../contract/urls.ts';
import { systemClock } from '../../../ads/clock.ts';
import { type Watch, startWatch } from '../../../ads/watching.ts';
import { callApi } from '../../../api/browser.ts';
import { uploadForm } from '../../../api/upload.ts';
import type { FieldErrors } from '../../../lib/form-state.ts';
import { ask, showToast } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom, memberSignal } from '../../../stores/shared/member-atom.ts';
import { firstOfEach, presentError } from '../../../stores/shared/request-errors.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** What is typed; `seconds` as typed, times as minutes in Japan. */
export interface NoticeDraft {
  readonly text: string;
  readonly link: string;
  readonly seconds: string;
  readonly from: string;
  readonly until: string;
}
export type NoticePart = 'file' | 'captions';

/** A chosen file with its object URL. */
interface ChosenFile {
  readonly file: File;
  readonly url: string;
}

export interface OpenNotice {
  readonly state: 'open';
  /** The notice that is changed, in the list of `version`; null for a new one. */
  readonly before: { readonly version: string; readonly index: number; readonly notice: Notice } | null;
  readonly saved: NoticeDraft;
  readonly draft: NoticeDraft;
  readonly files: Readonly<Partial<Record<NoticePart, ChosenFile>>>;
  /** The part sent, from 0 to 1; null while nothing is sent. */
  readonly share: number | null;
  readonly errors: FieldErrors;
  readonly problems: readonly string[];
  /** Counts refusals, so that the same error twice still moves focus twice. */
  readonly attempt: number;
}
export type NoticeEditor = { readonly state: 'closed' } | OpenNotice;

const EMPTY: NoticeDraft = { text: '', link: '', seconds: '15', from: '', until: '' };
const FIELDS: ReadonlySet<string> = new Set(['text', 'link', 'seconds', 'from', 'until', 'file', 'captions']);

/** The notices in the order of the list. */
export const $notices = staffQuery<NoticeListing>('notices', () => callApi(listNotices));

export const $noticeEditor = memberAtom<NoticeEditor>({ state: 'closed' }, freeFiles);
/** A notice that is shown as visitors see it. */
export const $noticePreview = memberAtom<Watch | null>(null, (watch) => watch?.dispose());

function freeFiles(editor: NoticeEditor): void {
  if (editor.state !== 'open') return;
  for (const { url } of Object.values(editor.files)) URL.revokeObjectURL(url);
}

export function isNoticeUnsaved(): boolean {
  const editor = $noticeEditor.get();
  if (editor.state !== 'open') return false;
  const { draft, saved, files } = editor;
  const isTyped = Object.entries(draft).some(([name, text]) => saved[name as keyof NoticeDraft] !== text);
  return isTyped || Object.keys(files).length > 0;
}

/** Opens the form for a new notice. */
export function startNotice(): void {
  open(EMPTY, null);
}

/** Opens the form for a notice of the list. */
export function editNotice(version: string, index: number, { notice, from, until }: ListedNotice): void {
  const { text, link, seconds } = notice;
  open({ text, link: link ?? '', seconds: String(seconds), from, until }, { version, index, notice });
}

function open(draft: NoticeDraft, before: OpenNotice['before']): void {
  freeFiles($noticeEditor.get());
  const fresh = { files: {}, share: null, errors: {}, problems: [], attempt: 0 };
  $noticeEditor.set({ state: 'open', before, saved: draft, draft, ...fresh });
}

function update(change: (editor: OpenNotice) => Partial<OpenNotice>): void {
  const editor = $noticeEditor.get();
  if (editor.state === 'open') $noticeEditor.set({ ...editor, ...change(editor) });
}

/** Follows typing. A field being corrected is no longer marked as wrong. */
export function typeNotice(change: Partial<NoticeDraft>): void {
  update(({ draft, errors }) => ({
    draft: { ...draft, ...change },
    errors: Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in change))),
    problems: [],
  }));
}

/** Chooses a file of a new notice; undefined drops it. */
export function chooseNoticeFile(part: NoticePart, file: File | undefined): void {
  update(({ files, errors }) => {
    const { [part]: known, ...others } = files;
    if (known) URL.revokeObjectURL(known.url);
    const { [part]: _, ...otherErrors } = errors;
    const isTooLarge = file !== undefined && file.size > NOTICE_FILE_BYTES_MAX;
    if (file === undefined || isTooLarge) {
      const limit = `${NOTICE_FILE_BYTES_MAX / 1024 / 1024}MBまでのファイルを選んでください。`;
      return { files: others, errors: isTooLarge ? { ...otherErrors, [part]: limit } : otherErrors };
    }
    return { files: { ...others, [part]: { file, url: URL.createObjectURL(file) } }, errors: otherErrors };
  });
}

/** Whether a chosen file is a video, which can have captions. */
export function isVideo(file: File | undefined): boolean {
  return file !== undefined && /\.(?:mp4|webm)$/i.test(file.name);
}

/** Closes the form; asks first if something would be lost. */
export async function closeNotice(): Promise<void> {
  const text = '保存していない内容は失われます。';
  if (isNoticeUnsaved() && !(await ask({ title: '編集をやめますか？', text, action: 'やめる' }))) return;
  freeFiles($noticeEditor.get());
  $noticeEditor.set({ state: 'closed' });
}

/** Sends the form. What was typed and chosen stays when it is refused. Never throws. */
export async function saveNotice(): Promise<void> {
  const editor = $noticeEditor.get();
  if (editor.state !== 'open' || editor.share !== null) return;
  update(() => ({ share: 0, errors: {}, problems: [] }));
  try {
    await (editor.before === null ? sendNew(editor) : sendChange(editor.before, editor.draft));
    showToast('success', '保存しました。5秒以内に反映されます。');
    freeFiles($noticeEditor.get());
    $noticeEditor.set({ state: 'closed' });
  } catch (error) {
    const { fields, problems } = presentError(error, { toasts: 'none', isField: (key) => FIELDS.has(key) });
    update(({ attempt }) => ({
      share: null,
      errors: firstOfEach(fields),
      problems,
      attempt: attempt + 1,
    }));
  } finally {
    $notices.revalidate();
  }
}

async function sendNew({ draft, files }: OpenNotice): Promise<void> {
  const form = new FormData();
  for (const [name, text] of Object.entries(draft)) form.set(name, text);
  for (const [part, { file }] of Object.entries(files)) form.set(part, file);
  await uploadForm(addNotice, form, {
    signal: memberSignal(),
    onProgress: (share) => update(() => ({ share })),
  });
}

async function sendChange(
  { version, index }: NonNullable<OpenNotice['before']>,
  draft: NoticeDraft,
): Promise<void> {
  await callApi(changeNotice, { body: { ...draft, seconds: toNumber(draft.seconds), version, index } });
}

/** Moves a notice in the list. Never throws. */
export function moveNotice(version: string, index: number, to: number): Promise<void> {
  return change(() => callApi(moveNoticeCall, { body: { version, index, to } }));
}

/** Removes a notice after a question. Never throws. */
export async function removeNotice(version: string, index: number, { notice }: ListedNotice): Promise<void> {
  const title = `「${notice.text}」を削除しますか？`;
  const text = 'このお知らせは表示されなくなり、ファイルは2時間以内に消えます。';
  if (!(await ask({ title, text, action: '削除する' }))) return;
  await change(() => callApi(removeNoticeCall, { body: { version, index } }));
}

async function change(send: () => Promise<unknown>): Promise<void> {
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
export function showNoticeDraft(): void {
  const editor = $noticeEditor.get();
  if (editor.state !== 'open') return;
  const { before, draft, files } = editor;
  const seconds = toNumber(draft.seconds);
  const url = before?.notice.url ?? files.file?.url;
  if (url === undefined || !(seconds > 0)) return;
  void showNotice({
    id: 'preview',
    kind: before?.notice.kind ?? (isVideo(files.file?.file) ? 'video' : 'picture'),
    url,
    text: draft.text,
    captions: before?.notice.captions ?? files.captions?.url ?? null,
    link: parseUrl(draft.link) ? draft.link : null,
    seconds,
  });
}

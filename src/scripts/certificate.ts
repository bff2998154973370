import { copyText } from '../browser/copy-text.ts';
import { saveFile } from '../browser/save-file.ts';
import { formatCount } from '../lib/format.ts';

/** The tools of a certificate's page. */

/** Files are read whole. A larger one could crash the tab on a phone. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024;

const RESULTS = {
  reading: 'ファイルを読んでいます…',
  same: '一致しました。証明書のファイルと同じものです。',
  size: '一致しません。サイズが違います',
  content: '一致しません。サイズは同じですが、内容（SHA-256）が違います。',
  unreadable: 'ファイルを読めませんでした。もう一度選んでください。',
  impossible: 'ここでは確かめられません。SHA-256を計算できるソフトで、証明書の値と比べてください。',
} as const;
type Result = keyof typeof RESULTS;
const OTHER_FILE = '編集や変換をしたファイルも、もとのファイルとは別のものになります。';

/** The newest check; the result of an older one is not shown. */
let newest = 0;

document.addEventListener('astro:page-load', start);
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('.certificate button') : null;
  if (button) void press(button).catch(console.warn);
});
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
  const form = target.closest<HTMLElement>('[data-check]');
  if (form) void check(form, target.files?.[0]);
});
for (const type of ['dragover', 'drop'] as const) document.addEventListener(type, handleDrag);
start();

/** Shows what works with scripts only. */
function start(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-needs-script]')) element.hidden = false;
  const isMember = 'member' in document.documentElement.dataset;
  const button = document.querySelector<HTMLElement>('[data-save-list="member"]');
  if (button) button.hidden = !isMember;
}

async function press(button: HTMLButtonElement): Promise<void> {
  const { copy, saveText, saveList, file = '' } = button.dataset;
  const status = button.parentElement?.querySelector('[role="status"]');
  const showStatus = (text: string) => {
    if (status) status.textContent = text;
  };
  if (copy !== undefined)
    showStatus((await copyField(copy)) ? 'コピーしました。' : 'コピーできませんでした。');
  // With a byte order mark, because editors on Windows otherwise guess the encoding.
  const toBlob = (text: string) => new Blob(['\uFEFF', text], { type: 'text/plain;charset=utf-8' });
  if (saveText !== undefined) saveFile({ blob: toBlob(findText(saveText)?.value ?? ''), name: file });
  if (saveList !== undefined) {
    const lists = await import('./certificate-lists.ts');
    showStatus(await lists.saveCertificates(saveList));
  }
}

function findText(id: string): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>(`textarea#${id}`);
}

/** If the clipboard cannot be used, the text is selected instead. */
async function copyField(id: string): Promise<boolean> {
  const field = findText(id);
  if (!field) return false;
  const isCopied = await copyText(field.value);
  if (!isCopied) field.select();
  return isCopied;
}

/** Accepts a file anywhere on the page of a certificate, so that one dropped beside the field does not replace the page. */
function handleDrag(event: DragEvent): void {
  const form = document.querySelector<HTMLElement>('[data-check]');
  if (!form || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  if (event.type === 'drop') void check(form, event.dataTransfer.files[0]);
}

async function check(form: HTMLElement, file: File | undefined): Promise<void> {
  const output = form.querySelector<HTMLElement>('[data-result]');
  if (!file || !output) return;
  const number = (newest += 1);
  const show = (result: Result) => {
    if (number !== newest) return;
    output.dataset['result'] = result;
    output.textContent = describe(result, file.size, Number(form.dataset['bytes']));
  };
  show('reading');
  show(await compare(file, form.dataset));
}

function describe(result: Result, bytes: number, wanted: number): string {
  if (result === 'content') return RESULTS.content + OTHER_FILE;
  if (result !== 'size') return RESULTS[result];
  const [certified, chosen] = [wanted, bytes].map(formatCount);
  return `${RESULTS.size}（証明書は${certified}バイト、このファイルは${chosen}バイト）。${OTHER_FILE}`;
}

async function compare(
  file: File,
  { check: wanted = '', bytes = '' }: Readonly<Record<string, string | undefined>>,
): Promise<Result> {
  // Files of different sizes are not read.
  if (file.size !== Number(bytes)) return 'size';
  // Exists only in secure contexts.
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (!subtle || file.size > WHOLE_BYTES_MAX) return 'impossible';
  try {
    const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') === wanted
      ? 'same'
      : 'content';
  } catch {
    return 'unreadable';
  }
}

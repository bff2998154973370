import type { WritableAtom } from 'nanostores';
import { publicAtom } from '../../browser/public-atom.ts';
import type { Proof } from '../../browser/password-prompt.ts';
import { type ToastKind, showPlainToast } from '../../browser/toasts.ts';

/** What the overlays island renders. The code of each kind loads with its first use. */
export type OverlayKind = 'alert' | 'question' | 'toast' | 'password' | 'download';

/** Loads and mounts the renderer of a kind. Rejects if the code cannot be loaded. */
type OverlayLoader = (kind: OverlayKind) => Promise<void>;

/** A dialog that is open. `close` does nothing the second time. */
interface Overlay<Content, Answer> {
  readonly id: number;
  readonly content: Content;
  close(answer: Answer): void;
}

export interface Question {
  readonly title: string;
  readonly text: string;
  /** Label of the button that confirms. */
  readonly action: string;
  /** Label of the button that changes nothing. */
  readonly back?: string;
}

export interface Toast {
  readonly id: number;
  readonly kind: ToastKind;
  readonly message: string;
}

interface DownloadSheet {
  readonly isOpen: boolean;
  /** Element that gets focus back when the sheet closes. */
  readonly opener: Element | null;
}

export const $alerts = publicAtom<readonly Overlay<string, void>[]>([]);
export const $questions = publicAtom<readonly Overlay<Question, boolean>[]>([]);
export const $passwordPrompts = publicAtom<readonly Overlay<Proof, boolean>[]>([]);
/** The toast that was raised last. Open dialogs announce it as well: screen readers do not reach outside them. */
export const $lastToast = publicAtom<Toast | null>(null);
export const $downloadSheet = publicAtom<DownloadSheet>({ isOpen: false, opener: null });

let lastId = 0;
/** Toasts appear in the order in which they are raised, whichever load of their code ends first. */
let toastQueue = Promise.resolve();
/** Alerts and questions are shown one at a time, in the order in which they are raised. Settles after the last one. */
let lastMessage: Promise<unknown> = Promise.resolve();
/** Aborted when the page is left. */
let page = new AbortController();
let loadOverlay: OverlayLoader = () => Promise.reject(new Error('No loader of overlays has been set.'));

/** Sets what renders overlays, from outside: stores do not import islands (`src/islands/overlays/load.ts`). */
export function setOverlayLoader(loader: OverlayLoader): void {
  loadOverlay = loader;
}

/** Shows a message that has to be confirmed (spec §8 “alert”), with the browser's alert if the dialog cannot load. */
export function showAlert(message: string): void {
  const show = () => new Promise<void>((resolve) => open($alerts, message, resolve));
  void inTurn('alert', undefined, show, () => alert(message));
}

/** Asks whether to continue, with the browser's dialog if ours cannot load. Escape and leaving the page mean no. */
export function ask(question: Question): Promise<boolean> {
  const show = () => new Promise<boolean>((resolve) => open($questions, question, resolve));
  return inTurn('question', false, show, () => confirm(`${question.title}\n${question.text}`));
}

/** Whether the host accepted what it asks for; false if closed or aborted. Rejects if the dialog cannot load. */
export async function askPassword(proof: Proof, signal: AbortSignal): Promise<boolean> {
  await loadOverlay('password');
  if (signal.aborted) return false;
  return new Promise((resolve) => {
    const prompt = open($passwordPrompts, proof, resolve);
    signal.addEventListener('abort', () => prompt.close(false), { once: true });
  });
}

/** Shows a short notice, as plain DOM if the toaster cannot load. */
export function showToast(kind: ToastKind, message: string): void {
  toastQueue = toastQueue
    .then(() => loadOverlay('toast'))
    .catch(() => showPlainToast(kind, message))
    .then(() => $lastToast.set({ id: (lastId += 1), kind, message }));
}

/** Open until the page is left; focus then returns to the present element. Rejects if it cannot load. */
export async function openDownloadSheet(): Promise<void> {
  await loadOverlay('download');
  const isDialogOpen = document.querySelector('dialog[open]') !== null;
  const opener = isDialogOpen ? $downloadSheet.get().opener : document.activeElement;
  $downloadSheet.set({ isOpen: true, opener });
}

/** Closes the dialogs of a page that is left; questions are answered with no. Toasts stay. */
export function closeOverlays(): void {
  page.abort();
  page = new AbortController();
  for (const { close } of $alerts.get()) close();
  for (const { close } of $questions.get()) close(false);
  for (const { close } of $passwordPrompts.get()) close(false);
  $downloadSheet.set({ ...$downloadSheet.get(), isOpen: false });
}

/**
 * Shows a message after those before it have been answered; `showPlain` does so if the code of the kind cannot load.
 * `left` is the answer if the page is left before its turn.
 */
function inTurn<Answer>(
  kind: OverlayKind,
  left: Answer,
  show: () => Promise<Answer>,
  showPlain: () => Answer,
): Promise<Answer> {
  const { signal } = page;
  const present = loadOverlay(kind).then(
    () => show,
    () => showPlain,
  );
  const answer = lastMessage.then(async () => (signal.aborted ? left : (await present)()));
  lastMessage = answer.catch(() => undefined);
  return answer;
}

function open<Content, Answer>(
  $open: WritableAtom<readonly Overlay<Content, Answer>[]>,
  content: Content,
  onClose?: (answer: Answer) => void,
): Overlay<Content, Answer> {
  const overlay: Overlay<Content, Answer> = {
    id: (lastId += 1),
    content,
    close(answer) {
      const others = $open.get().filter((each) => each !== overlay);
      if (others.length === $open.get().length) return;
      $open.set(others);
      onClose?.(answer);
    },
  };
  $open.set([...$open.get(), overlay]);
  return overlay;
}

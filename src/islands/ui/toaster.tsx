import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Toaster, toast } from 'sonner';
import { liftToasts } from '../../lib/plain-toast.ts';
import { estimateToastHeight, hasToastRoom } from '../../lib/toast-room.ts';
import { TOASTS_MAX, TOAST_MS, type ToastKind } from '../../lib/toast-times.ts';
import styles from '../../styles/toasts.css?inline';

interface Notice {
  readonly kind: ToastKind;
  readonly message: string;
  /** Notices with the same key are one. */
  readonly key: string;
}

/** What is on the screen and does not fade out yet, by key. */
const shown = new Map<string, { readonly id: string; readonly heightPx: number }>();
const waiting: Notice[] = [];
let raised = 0;

mountToaster();

/**
 * Shows a notice, or has it wait until there is room. One that is shown already begins its time again, so ten
 * uploads that arrive one after the other are one notice.
 */
export function raiseToast(kind: ToastKind, message: string): void {
  liftToasts();
  const notice = { kind, message, key: `${kind}: ${message}` };
  const same = shown.get(notice.key);
  if (same) return show(notice, same.id);
  if (!waiting.some(({ key }) => key === notice.key)) waiting.push(notice);
  showWaiting();
}

function showWaiting(): void {
  const viewport = { width: innerWidth, height: innerHeight };
  for (let [notice] = waiting; notice && shown.size < TOASTS_MAX; [notice] = waiting) {
    const heightPx = estimateToastHeight(notice.message, viewport);
    const shownPx = [...shown.values()].map((other) => other.heightPx);
    if (!hasToastRoom(shownPx, heightPx, viewport)) return;
    waiting.shift();
    // The library takes an id that fades out for the same toast, and shows nothing.
    const id = `${(raised += 1)}`;
    shown.set(notice.key, { id, heightPx });
    show(notice, id);
  }
}

function show({ kind, message, key }: Notice, id: string): void {
  const onLeave = () => {
    if (shown.get(key)?.id !== id) return;
    shown.delete(key);
    showWaiting();
  };
  const options = { id, duration: TOAST_MS[kind], onAutoClose: onLeave, onDismiss: onLeave };
  if (kind === 'error') toast.error(message, options);
  else if (kind === 'success') toast.success(message, options);
  else toast(message, options);
}

/** Made once: the layout's place for toasts survives navigations, and so do the styles of the document. */
function mountToaster(): void {
  const place = document.getElementById('toasts');
  if (!place) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
  // A dialog that opens after them would cover them.
  document.addEventListener('toggle', (event) => isOpening(event) && liftToasts(), true);
  const root = createRoot(place.appendChild(document.createElement('div')));
  flushSync(() =>
    root.render(
      <Toaster
        position="top-center"
        theme="system"
        containerAriaLabel="お知らせ"
        visibleToasts={TOASTS_MAX}
        expand
        richColors
      />,
    ),
  );
}

function isOpening({ target, newState }: ToggleEvent): boolean {
  return target instanceof HTMLDialogElement && newState === 'open';
}

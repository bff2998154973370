import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { Toaster, toast } from 'sonner';
import { TOASTS_MAX, TOAST_MS, type ToastKind } from '../../lib/toast-times.ts';

/** The layout's place for toasts; it survives navigations, so the toaster is made once. */
const place = document.getElementById('toasts');
if (place) {
  const root = createRoot(place);
  place.popover = 'manual';
  flushSync(() =>
    root.render(
      <Toaster
        position="top-center"
        theme="system"
        containerAriaLabel="お知らせ"
        visibleToasts={TOASTS_MAX}
        richColors
      />,
    ),
  );
}

export function raiseToast(kind: ToastKind, message: string): void {
  liftToasts();
  // Ten uploads that arrive one after the other are one notice, not ten that hide the page.
  const options = { duration: TOAST_MS[kind], id: `${kind}: ${message}` };
  if (kind === 'error') toast.error(message, options);
  else if (kind === 'success') toast.success(message, options);
  else toast(message, options);
}

/** Above any dialog that stands open: who came last into the top layer lies on top. */
function liftToasts(): void {
  if (!place?.isConnected || !document.querySelector('dialog[open]')) return;
  if (place.matches(':popover-open')) place.hidePopover();
  place.showPopover();
}

import { createRoot } from 'react-dom/client';
import { closeFollowUp } from '../../stores/downloads/follow-up.ts';
import { DownloadFlow } from './DownloadFlow.tsx';

let opener: Element | null = null;
const findOpener = () => opener;
let isOpen = false;

/** Puts what a download shows into the page, once a page. Focus returns to where it is at the call. */
export function openDownload(): void {
  if (!document.querySelector('dialog[open]')) opener = document.activeElement;
  if (isOpen) return;
  isOpen = true;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(<DownloadFlow findOpener={findOpener} />);
  const close = () => {
    root.unmount();
    place.remove();
    isOpen = false;
    closeFollowUp();
  };
  // The router brings another body.
  document.addEventListener('astro:before-swap', close, { once: true });
}

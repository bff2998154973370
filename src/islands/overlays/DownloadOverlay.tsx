import { useEffect } from 'react';
import { closeFollowUp } from '../../stores/downloads/downloads.ts';
import { $downloadSheet } from '../../stores/overlays/overlays.ts';
import { DownloadFlow } from '../download/DownloadFlow.tsx';
import { useStore } from '../ui/use-store.ts';

/** The dialogs and notices of downloads, until the user leaves the page. */
export function DownloadOverlay() {
  const { isOpen } = useStore($downloadSheet);
  useEffect(() => {
    if (!isOpen) closeFollowUp();
  }, [isOpen]);
  return isOpen && <DownloadFlow findOpener={findOpener} />;
}

const findOpener = () => $downloadSheet.get().opener;

import { useEffect, useState } from 'react';
import { $watch } from '../../ads/house.ts';
import {
  type DownloadFollowUp,
  type DownloadView,
  $download,
  $followUp,
} from '../../stores/downloads/downloads.ts';
import { $hasKeys } from '../../stores/player/player.ts';
import { DownloadSheet } from './DownloadSheet.tsx';
import { FollowUp } from './FollowUp.tsx';
import { NoticeOverlay } from './NoticeOverlay.tsx';
import { returnFocus } from './return-focus.ts';
import { useStore } from '../ui/use-store.ts';

/** The user interface of a download; the store decides what is shown. */
export function DownloadFlow({ findOpener }: { findOpener: () => Element | null }) {
  const view = useStore($download);
  const watch = useStore($watch);
  const followUp = useStore($followUp);
  const hasKeys = useStore($hasKeys);
  useFocusReturn(view !== null && view.state !== 'fetching', findOpener);
  return (
    <>
      <DownloadSheet view={view} />
      {watch && <NoticeOverlay watch={watch} />}
      {followUp && <FollowUp key={followUp.sound.id} {...followUp} findOpener={findOpener} />}
      <Spoken text={toAnnouncement(view, followUp, hasKeys)} />
    </>
  );
}

/** States that are announced, because no element takes focus for them. */
function toAnnouncement(
  view: DownloadView | null,
  followUp: DownloadFollowUp | null,
  hasKeys: boolean,
): string {
  if (view?.state === 'external-ad') return '広告を表示しています。';
  if (view?.state === 'fetching') return `「${view.sound.title}」のダウンロードを始めます。`;
  if (!followUp) return '';
  const ways = `${hasKeys ? 'Cキーか、' : ''}ページの先頭のリンク`;
  return `「${followUp.sound.title}」のダウンロードを始めました。${ways}から、クレジット表記などへ移れます。`;
}

/** Long enough for a screen reader to notice a new live region. */
const SPOKEN_AFTER_MS = 150;

/** Empty at first: a live region inserted with its text is not announced. */
function Spoken({ text }: { text: string }) {
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(text), SPOKEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
}

/** Dialogs may follow one another; after the last one, focus returns to where it was before the first. */
function useFocusReturn(isShowing: boolean, findOpener: () => Element | null): void {
  useEffect(() => {
    if (!isShowing) return;
    return () => {
      if (document.activeElement === document.body) returnFocus(findOpener());
    };
  }, [isShowing, findOpener]);
}

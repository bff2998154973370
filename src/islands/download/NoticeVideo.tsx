import { useEffect, useRef, useState } from 'react';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { Icon } from '../ui/Icon.tsx';

interface NoticeVideoProps {
  notice: Notice;
  /** Whether time is paused, by a question or a hidden tab; the video pauses with it. */
  isPaused: boolean;
  isAudible: boolean;
  onBegin: () => void;
  onFail: () => void;
  onAudible: (isAudible: boolean) => void;
}

/** A short video: muted at first, with captions, and paused for users who prefer reduced motion. */
export function NoticeVideo({ notice, isPaused, isAudible, onBegin, onFail, onAudible }: NoticeVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [isMotionReduced, setMotionReduced] = useState(
    () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  );
  useEffect(() => {
    if (isPaused || isMotionReduced) {
      video.current?.pause();
      return;
    }
    // Called immediately: on iOS a video that is not playing may load nothing.
    video.current?.play().catch((error: unknown) => {
      // Where autoplay is forbidden, the first frame is shown. An interrupted play is no error.
      if (error instanceof DOMException && error.name === 'NotAllowedError') setMotionReduced(true);
    });
  }, [isPaused, isMotionReduced]);
  return (
    <>
      <video
        ref={video}
        className="notice-overlay-picture"
        src={notice.url}
        // Captions on another host require it, and then the video as well.
        crossOrigin="anonymous"
        aria-label={notice.text}
        muted={!isAudible}
        loop
        playsInline
        preload="auto"
        // Not every browser fires all of these events for a stalled video, or for one that has not started to load.
        onLoadedMetadata={onBegin}
        onLoadedData={onBegin}
        onPlaying={onBegin}
        onError={onFail}
      >
        <track default kind="captions" srcLang="ja" label="字幕" src={notice.captions ?? undefined} />
      </video>
      <div className="flex flex-none flex-wrap justify-center gap-2">
        <button type="button" className="button" onClick={() => setMotionReduced(!isMotionReduced)}>
          <Icon name={isMotionReduced ? 'play' : 'pause'} className="size-5" />
          {isMotionReduced ? '動画を再生' : '動画を止める'}
        </button>
        <button type="button" className="button" onClick={() => onAudible(!isAudible)}>
          <Icon name={isAudible ? 'volume' : 'muted'} className="size-5" />
          {isAudible ? '音を消す' : '音を出す'}
        </button>
      </div>
    </>
  );
}

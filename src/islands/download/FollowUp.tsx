import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { type DownloadFollowUp, closeFollowUp } from '../../stores/downloads/downloads.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { readSiteName } from '../../browser/site-name.ts';
import { certificatePath, tellUsePath } from '../../lib/paths.ts';
import { CreditLine } from '../sounds/CreditLine.tsx';
import { Icon } from '../ui/Icon.tsx';
import { returnFocus } from './return-focus.ts';

interface FollowUpProps extends DownloadFollowUp {
  findOpener: () => Element | null;
}

/**
 * After a download: the credit to paste, the certificate, and a notice with them. It is not modal: a key and a skip link
 * lead to it.
 */
export function FollowUp({ sound, notice, certificate, findOpener }: FollowUpProps) {
  const panel = useRef<HTMLElement>(null);
  usePositionBelow(panel);
  useSkipLink();
  const close = useCallback(
    (options?: FocusOptions) => {
      if (panel.current?.contains(document.activeElement)) returnFocus(findOpener(), options);
      closeFollowUp();
    },
    [findOpener],
  );
  useEffect(() => {
    const element = panel.current;
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    element?.addEventListener('keydown', closeOnEscape);
    return () => element?.removeEventListener('keydown', closeOnEscape);
  }, [close]);
  return (
    <section
      ref={panel}
      id="follow-up"
      tabIndex={-1}
      className="panel follow-up"
      aria-labelledby="follow-up-title"
    >
      {/* The panel grows upwards: its text does not move when the picture arrives. */}
      {notice && !isBesideDonations() && <Picture notice={notice} />}
      <div className="flex items-center gap-2">
        <h2 id="follow-up-title" className="line-clamp-2 min-w-0 flex-1 text-sm">
          「{sound.title}」のダウンロードを始めました
        </h2>
        <button
          type="button"
          className="icon-button -mr-3"
          aria-label="閉じる"
          // After a pointer press, does not scroll to the download button.
          onClick={({ detail }: MouseEvent) => close({ preventScroll: detail > 0 })}
        >
          <Icon name="close" />
        </button>
      </div>
      <CreditLine title={sound.title} artist={sound.artist} siteName={readSiteName()} />
      {certificate !== null && (
        <p className="-mb-2 flex flex-wrap gap-x-6">
          <a className="link inline-flex min-h-11 items-center" href={certificatePath(certificate)}>
            利用証明書
          </a>
          <a className="link inline-flex min-h-11 items-center" href={tellUsePath(certificate)}>
            使った作品を知らせる
          </a>
        </p>
      )}
      {certificate === null && isExtended() && (
        <p className="text-sm text-muted">
          利用証明書は付きませんでした。1日に発行できる数には上限があります。ファイルはそのまま使えます。必要なときは、日を改めてもう一度ダウンロードしてください。
        </p>
      )}
    </section>
  );
}

/** Among the skip links of the page, also of one that the router shows next. */
function useSkipLink(): void {
  useEffect(() => {
    const link = document.createElement('a');
    Object.assign(link, {
      className: 'skip-link',
      href: '#follow-up',
      textContent: 'クレジット表記へスキップ',
    });
    const insert = () => document.querySelector('.skip-link')?.after(link);
    insert();
    document.addEventListener('astro:after-swap', insert);
    return () => {
      document.removeEventListener('astro:after-swap', insert);
      link.remove();
    };
  }, []);
}

/** The focused element must not be covered by the panel (WCAG 2.4.11). */
function usePositionBelow(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const keepFree = () => {
      style.scrollPaddingBottom = `${innerHeight - (panel.current?.offsetTop ?? innerHeight) + 8}px`;
      document.querySelector(':focus-visible')?.scrollIntoView({ block: 'nearest' });
    };
    const sizes = new ResizeObserver(keepFree);
    if (panel.current) sizes.observe(panel.current);
    return () => {
      sizes.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, [panel]);
}

/** An advertisement is never shown next to a request for support. */
function isBesideDonations(): boolean {
  return document.querySelector('[data-donation]') !== null;
}

/** Takes up space once there is something to show. */
function Picture({ notice: { url, text, link } }: { notice: Notice }) {
  const [isLoaded, setLoaded] = useState(false);
  const picture = <img className="follow-up-picture" src={url} alt={text} onLoad={() => setLoaded(true)} />;
  return (
    <figure className="follow-up-notice" hidden={!isLoaded}>
      <figcaption>広告</figcaption>
      {link === null ? (
        picture
      ) : (
        <a className="block" href={link} target="_blank" rel="noopener noreferrer nofollow sponsored">
          {picture}
          <span className="sr-only">(新しいタブで開きます)</span>
        </a>
      )}
    </figure>
  );
}

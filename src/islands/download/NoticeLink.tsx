import type { Notice } from '../../../contract/ads.ts';
import { Icon } from '../ui/Icon.tsx';

/** The link of a notice, if it has one: marked as paid for search engines, and without a referrer. */
export function NoticeLink({ notice: { link } }: { notice: Notice }) {
  if (link === null) return null;
  return (
    <a className="button" href={link} target="_blank" rel="noopener noreferrer nofollow sponsored">
      {new URL(link).host}
      <Icon name="external" className="size-4" />
      <span className="sr-only">(新しいタブで開きます)</span>
    </a>
  );
}

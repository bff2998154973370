import { soundPath } from '../../lib/paths.ts';

interface SoundTitleProps {
  id: string;
  title: string;
  /** Whether the sound has a public page. */
  hasPage: boolean;
  className?: string;
}

/** The title of a sound, linked if it has a page. The player reads the titles of its tracks here. */
export function SoundTitle({ id, title, hasPage, className = '' }: SoundTitleProps) {
  return hasPage ? (
    <a data-title="" className={`card-title ${className}`} href={soundPath(id)}>
      <span className="line-clamp-2">{title}</span>
    </a>
  ) : (
    <span data-title="" className="line-clamp-2">
      {title}
    </span>
  );
}

import type { IconName } from '../../lib/icons.ts';

/** A symbol of the sheet that the layout puts into every page. Decorative: screen readers ignore it. */
export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  return (
    <svg className={`${className} icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}

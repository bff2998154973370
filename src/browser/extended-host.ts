/** The name of the page's `<meta>` element for an extended host. */
export const EXTENDED_META = 'extended-host';

/**
 * Whether the host announces that it can do more than spec §7 (`is_extended` of its site config). False during server
 * rendering: an island whose first HTML depends on it gets it from its page, which reads the site config.
 */
export function isExtended(): boolean {
  return typeof document !== 'undefined' && document.querySelector(`meta[name="${EXTENDED_META}"]`) !== null;
}

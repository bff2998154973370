import type { Capability } from '../../contract/capabilities.ts';

/** Tells whether a host has announced a capability. */
export type HasCapability = (name: Capability) => boolean;

/** The name of the page's `<meta>` element that carries the host's capabilities, separated by spaces. */
export const CAPABILITIES_META = 'capabilities';

/**
 * Whether the host has announced this (`contract/capabilities.ts`). False while the server renders: what the first
 * HTML of an island depends on comes from its page, which reads the site config.
 */
export function hasCapability(name: Capability): boolean {
  if (typeof document === 'undefined') return false;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${CAPABILITIES_META}"]`);
  return meta?.content.split(' ').includes(name) ?? false;
}

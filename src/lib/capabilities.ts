import type { Capability } from '../../contract/capabilities.ts';

/** Returns whether a host has announced a capability. */
export type HasCapability = (name: Capability) => boolean;

/** The name of the page's `<meta>` element with the host's capabilities, separated by spaces. */
export const CAPABILITIES_META = 'capabilities';

/**
 * Whether the host has announced this capability (`contract/capabilities.ts`). False during server rendering: an island
 * whose first HTML depends on one gets it from its page, which reads the site config.
 */
export function hasCapability(name: Capability): boolean {
  if (typeof document === 'undefined') return false;
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${CAPABILITIES_META}"]`);
  return meta?.content.split(' ').includes(name) ?? false;
}

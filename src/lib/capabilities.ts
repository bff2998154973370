import type { Capability } from '../../contract/capabilities.ts';

/** Tells whether a host has announced a capability. */
export type HasCapability = (name: Capability) => boolean;

/** The name of the page's `<meta>` element that carries the host's capabilities, separated by spaces. */
export const CAPABILITIES_META = 'capabilities';

/** Whether the host has announced this (`contract/capabilities.ts`). In the browser only; pages read the site config. */
export function hasCapability(name: Capability): boolean {
  const meta = document.querySelector<HTMLMetaElement>(`meta[name="${CAPABILITIES_META}"]`);
  return meta?.content.split(' ').includes(name) ?? false;
}

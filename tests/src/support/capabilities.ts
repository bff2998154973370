import type { Capability } from '#contract/capabilities.ts';

/** Sets the host capabilities in the page. The last call counts. */
export function announce(...names: readonly Capability[]): void {
  document.head.querySelector('meta[name="capabilities"]')?.remove();
  const meta = document.createElement('meta');
  meta.name = 'capabilities';
  meta.content = names.join(' ');
  document.head.append(meta);
}

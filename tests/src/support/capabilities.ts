import type { Capability } from '../../../contract/capabilities.ts';

/** Has the page say what its host can do; the last call counts. */
export function announce(...names: readonly Capability[]): void {
  document.head.querySelector('meta[name="capabilities"]')?.remove();
  const meta = document.createElement('meta');
  meta.name = 'capabilities';
  meta.content = names.join(' ');
  document.head.append(meta);
}

import type { ClientDirective } from 'astro';
import type { When } from '../browser/early.ts';

/** Islands whose script has not run. Astro's element removes the attribute once it is hydrated. */
export const WAITING_ISLANDS = 'astro-island[ssr]';

/** What imports the code of an island, by its element. */
const loaders = new WeakMap<Element, Parameters<ClientDirective>[0]>();

/** `client:when`, which Astro's element calls with each island, leaves the loading to `hydrateIsland`. */
const clientWhen: ClientDirective = (load, _, element) => void loaders.set(element, load);
export default clientWhen;

/** Makes the directive known to Astro's element, in place of the script that Astro would inline in each page. */
export function defineDirective(): void {
  Object.assign(window, { Astro: { when: clientWhen } });
}

export function isIsland(element: Element): boolean {
  return element.localName === 'astro-island';
}

/** The argument of an island's `client:when`; undefined for an element that is no island. */
export function readWhen(element: Element): When | undefined {
  return (JSON.parse(element.getAttribute('opts') ?? '{}') as { value?: When }).value;
}

/** The addresses of the scripts that an island starts with: React's renderer, and its component. */
export function listScripts(island: Element): readonly [renderer: string, component: string] {
  const toUrl = (name: string) => new URL(island.getAttribute(name) ?? '', location.href).href;
  return [toUrl('renderer-url'), toUrl('component-url')];
}

/** Hydrates an island whose scripts are in the browser's cache. */
export async function hydrateIsland(island: Element): Promise<void> {
  // Defines Astro's element (`src/islands/hydrate.tsx`), which calls `clientWhen`.
  await import(/* @vite-ignore */ listScripts(island)[0]);
  const load = loaders.get(island);
  if (!load && island.isConnected) throw new Error('Astro does not know this island');
  const start = await load?.();
  await start?.();
  // React attaches its listeners in the next task.
  await new Promise((resolve) => setTimeout(resolve));
}

import '../astro/element.ts';
import hydrateIsland from '@astrojs/react/client.js';
import { Component, type ComponentType, type ReactNode } from 'react';
import { showError } from '../browser/load-script.ts';
import { showToast } from '../stores/overlays/overlays.ts';
import './late.ts';
import { followOverlays } from './overlays/load.ts';

followOverlays();

// When the user leaves a page before its islands are hydrated, the router unmounts them. React reports that as a
// hydration error (#424), although there is nothing left to hydrate.
window.addEventListener('error', (event) => {
  if (event.message.includes('React error #424')) event.preventDefault();
});

if (window.early?.isStorageOff) {
  showToast(
    'blank',
    'このブラウザーは情報を保存しない設定です。ログインや設定は、ページを閉じるか読み込み直すと消えます。',
  );
}

type Island = ComponentType<object>;

/** One wrapper for each component: with another one, React would remount the island. */
const guarded = new Map<Island, Island>();

/** The renderer of all islands (`src/astro/build/adapter.ts`): Astro's own, with an error boundary around each island. */
export default function hydrate(element: HTMLElement) {
  const start = hydrateIsland(element);
  return (island: Island, ...rest: [props: object, slots: object, options: Record<string, string>]) =>
    start(guard(island), ...rest);
}

function guard(Inner: Island): Island {
  const existing = guarded.get(Inner);
  if (existing) return existing;
  const Guarded = (props: object) => (
    <IslandBoundary>
      <Inner {...props} />
    </IslandBoundary>
  );
  guarded.set(Inner, Guarded);
  return Guarded;
}

/** Shows the error box of spec §2 instead of an island that fails; the rest of the page stays as it is. */
export class IslandBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!('error' in this.state)) return this.props.children;
    return <div ref={(element) => void (element && showError(this.state.error, element))} />;
  }
}

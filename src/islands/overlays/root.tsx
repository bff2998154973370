import { Component, type ComponentType, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { showError } from '../../browser/load-script.ts';
import { type OverlayKind, closeOverlays } from '../../stores/overlays/overlays.ts';
import '../late.ts';

const layers = new Map<OverlayKind, ComponentType>();
const container = document.body.appendChild(document.createElement('div'));
const root = createRoot(container);

// The router replaces the body, so the dialogs of a page close with it.
document.addEventListener('astro:before-swap', () => flushSync(closeOverlays));
document.addEventListener('astro:after-swap', () => document.body.append(container));

/** Renders a layer from now on. Returns once it is mounted and subscribed to the store. */
export function addLayer(kind: OverlayKind, layer: ComponentType): void {
  if (layers.has(kind)) return;
  layers.set(kind, layer);
  flushSync(() =>
    root.render(
      [...layers].map(([each, Layer]) => (
        <LayerBoundary key={each}>
          <Layer />
        </LayerBoundary>
      )),
    ),
  );
}

/** Shows the error box of spec §2 instead of a layer that fails; the other layers stay as they are. */
class LayerBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    showError(error);
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}

import type { ComponentType } from 'react';
import { setPasswordPrompt } from '../../browser/password-prompt.ts';
import { type OverlayKind, askPassword, setOverlayLoader } from '../../stores/overlays/overlays.ts';
import { memberSignal } from '../../stores/shared/member-atom.ts';

/** One layer renders all overlays of a kind from the state of the store. */
const LAYERS: Readonly<Record<OverlayKind, () => Promise<ComponentType>>> = {
  alert: () => import('./Alerts.tsx').then((layer) => layer.Alerts),
  question: () => import('./Questions.tsx').then((layer) => layer.Questions),
  toast: () => import('./Toaster.tsx').then((layer) => layer.Toaster),
  password: () => import('./PasswordPrompts.tsx').then((layer) => layer.PasswordPrompts),
  download: () => import('./DownloadOverlay.tsx').then((layer) => layer.DownloadOverlay),
};

/**
 * Starts rendering the store's overlays; the code of each kind loads with its first overlay. The API client prompts for
 * passwords from now on. The renderer of islands calls this, and so does each script that uses a store which may raise
 * an overlay.
 */
export function followOverlays(): void {
  setOverlayLoader(async (kind) => {
    const [root, layer] = await Promise.all([import('./root.tsx'), LAYERS[kind]()]);
    root.addLayer(kind, layer);
  });
  setPasswordPrompt((proof) => askPassword(proof, memberSignal()));
}

import { useEffect, useEffectEvent } from 'react';
import type { DeskKey } from './DeskKeys.tsx';

/** One key for each action, while no text is being typed. Null: another part of the page has the keys. */
export function useDeskKeys(keys: readonly Pick<DeskKey, 'key' | 'isOff' | 'act'>[] | null): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!keys || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.closest('textarea, select, dialog, input:not([type=range])')) return;
    // A focused button or link keeps its own key.
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const pressed = keys.find(({ key }) => key === event.key.toLowerCase());
    if (!pressed || event.repeat) return;
    if (!pressed.isOff) pressed.act();
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    // Before the keys of the player.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
}

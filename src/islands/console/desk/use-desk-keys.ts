import { useEffect, useEffectEvent, useState } from 'react';
import type { DeskKey } from './DeskKeys.tsx';

/**
 * One key for each action, while no text is being typed. Null: another part of the page has the keys. Returns why the
 * last pressed key has no effect now; '' if it had one.
 */
export function useDeskKeys(keys: readonly Pick<DeskKey, 'key' | 'off' | 'act'>[] | null): string {
  const [last, setLast] = useState('');
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!keys || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    if (target.closest('textarea, select, dialog, input:not([type=range], [type=checkbox])')) return;
    // A focused button or link keeps its own key.
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const pressed = keys.find(({ key }) => key === event.key.toLowerCase());
    if (!pressed || event.repeat) return;
    setLast(pressed.key);
    if (!pressed.off) pressed.act();
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    // Before the keys of the player.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
  return keys?.find(({ key }) => key === last)?.off ?? '';
}

import { type KeyboardEvent, useRef } from 'react';

interface SoundTabsProps {
  tabs: readonly { readonly id: string; readonly name: string }[];
  current: string | null;
  panelId: string;
  onChoose: (tab: string) => void;
}

/** Arrow keys, Home and End choose. */
export function SoundTabs({ tabs, current, panelId, onChoose }: SoundTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const here = tabs.findIndex(({ id }) => id === current);
    const targets: Record<string, number> = {
      ArrowRight: here + 1,
      ArrowLeft: here - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = (target + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (!tab) return;
    onChoose(tab.id);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <div ref={list} className="tabs overflow-x-auto" role="tablist" aria-label="サウンドの種類">
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          id={`own-tab-${id}`}
          className="tab"
          role="tab"
          aria-selected={id === current}
          aria-controls={panelId}
          tabIndex={id === current ? 0 : -1}
          onKeyDown={onKeyDown}
          onClick={() => onChoose(id)}
        >
          {name || id}
        </button>
      ))}
    </div>
  );
}

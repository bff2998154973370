import { type ReactNode, useEffect, useRef } from 'react';
import type { IconName } from '../../lib/icons.ts';
import { Icon } from './Icon.tsx';

interface DoneViewProps {
  title: string;
  icon?: IconName;
  /** False if nothing was done: the icon is grey, and the heading takes no focus because it is there from the start. */
  isNews?: boolean;
  children: ReactNode;
}

/** Displayed instead of a sent form: what happened, and the next step. */
export function DoneView({ title, icon = 'check', isNews = true, children }: DoneViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNews) heading.current?.focus();
  }, [isNews]);
  return (
    <div className="form-card form-done">
      <span
        className={`mt-2 grid size-[72px] place-items-center rounded-full bg-tint ${isNews ? 'text-success' : 'text-muted'}`}
      >
        <Icon name={icon} className="size-8" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="form-title">
        {title}
      </h1>
      {children}
    </div>
  );
}

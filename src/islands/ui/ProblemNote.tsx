import type { ReactNode } from 'react';
import { toLanguage } from './FieldFrame.tsx';
import { Icon } from './Icon.tsx';

interface ProblemNoteProps {
  problems: readonly string[];
  /** Content after the problems. */
  children?: ReactNode;
}

/** Why a request as a whole was refused; nothing if it was not. */
export function ProblemNote({ problems, children }: ProblemNoteProps) {
  if (problems.length === 0) return null;
  return (
    <div className="form-note form-problem">
      <Icon name="warning" className="size-5 flex-none" />
      <div>
        {problems.map((problem) => (
          <p key={problem} lang={toLanguage(problem)}>
            {problem}
          </p>
        ))}
        {children}
      </div>
    </div>
  );
}

import { type ReactNode, useEffect, useState } from 'react';

interface DecisionsProps<Decision extends string> {
  /** Of the heading, unique on the page. */
  id: string;
  allowed: readonly Decision[];
  texts: Readonly<Record<Decision, { readonly action: string }>>;
  isOff: boolean;
  onChoose: (decision: Decision) => void;
  /** The dialog that asks before a decision is sent. */
  children: ReactNode;
}

/** The decisions that the server allows; each one asks before it is sent. */
export function Decisions<Decision extends string>({
  id,
  allowed,
  texts,
  isOff,
  onChoose,
  children,
}: DecisionsProps<Decision>) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="sr-only">
        操作
      </h3>
      <div className="flex flex-wrap gap-3">
        {allowed.map((decision) => (
          <button
            key={decision}
            type="button"
            className="button"
            aria-haspopup="dialog"
            disabled={isOff}
            onClick={() => onChoose(decision)}
          >
            {texts[decision].action}…
          </button>
        ))}
      </div>
      {children}
    </section>
  );
}

/**
 * Returns a function to call after a decision: it moves the focus to the element with this id. The pressed button is
 * gone, and the dialog, whose effects come first, has returned focus by then.
 */
export function useFocusAfterDecision(id: string): () => void {
  const [sent, setSent] = useState(0);
  useEffect(() => {
    if (sent > 0) document.getElementById(id)?.focus();
  }, [sent, id]);
  return () => setSent((count) => count + 1);
}

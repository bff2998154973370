import { toLanguage } from './FieldFrame.tsx';

interface LinkProblemsProps {
  problems: readonly string[];
  /** Retries the link, if it may still be valid. */
  onRetry?: (() => void) | undefined;
}

/** Why a mailed link failed, and a retry button. */
export function LinkProblems({ problems, onRetry }: LinkProblemsProps) {
  return (
    <>
      <div role="alert" className="contents">
        {problems.map((problem) => (
          <p key={problem} className="form-note form-problem" lang={toLanguage(problem)}>
            {problem}
          </p>
        ))}
      </div>
      {onRetry && (
        <button type="button" className="button form-submit" onClick={onRetry}>
          もう一度試す
        </button>
      )}
    </>
  );
}

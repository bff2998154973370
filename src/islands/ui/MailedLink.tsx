import { DoneView } from './DoneView.tsx';
import { toLanguage } from './FieldFrame.tsx';

/** In place of a page that a mailed link opens, when the address has no link; `subject` is what the mail is about. */
export function LinkMissing({ subject }: { subject: string }) {
  return (
    <DoneView title="リンクを開き直してください" icon="mail" tone="plain" isNews={false}>
      <p>
        このページは、{subject}
        をお知らせするメールのリンクから開きます。メールのリンクをもう一度開いてください。
      </p>
    </DoneView>
  );
}

/** Why the page of a mailed link could not do its work. */
export function LinkProblems({ problems }: { problems: readonly string[] }) {
  return (
    <div role="alert" className="contents">
      {problems.map((problem) => (
        <p key={problem} className="form-note form-problem" lang={toLanguage(problem)}>
          {problem}
        </p>
      ))}
    </div>
  );
}

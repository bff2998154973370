import { DoneView } from './DoneView.tsx';

/** For the page of a mailed link whose address has no token; `subject` is what the mail is about. */
export function LinkMissing({ subject }: { subject: string }) {
  return (
    <DoneView title="リンクを開き直してください" icon="mail" isNews={false}>
      <p>
        このページは、{subject}
        をお知らせするメールのリンクから開きます。メールのリンクをもう一度開いてください。
      </p>
    </DoneView>
  );
}

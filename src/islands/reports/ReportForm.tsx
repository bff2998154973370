import { useState } from 'react';
import {
  CONFIRMATION_DAYS,
  REASON_LABELS,
  REPORT_LENGTH_MAX,
  REPORT_REASONS,
  isRightsReason,
} from '../../../contract/reports.ts';
import { soundPath } from '../../lib/paths.ts';
import { createReport } from '../../stores/reports/reports.ts';
import { CheckboxField } from '../ui/CheckboxField.tsx';
import { DoneView } from '../ui/DoneView.tsx';
import { Form } from '../ui/Form.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { TextAreaField } from '../ui/TextAreaField.tsx';
import { EmailField, TextField } from '../ui/TextField.tsx';
import { useStore } from '../ui/use-store.ts';

interface ReportFormProps {
  soundId: string;
  title: string;
  artist: string;
}

const REASONS = REPORT_REASONS.map((reason) => [reason, REASON_LABELS[reason]] as const);

/** Reports a sound; nobody needs an account for it. */
export function ReportForm({ soundId, title, artist }: ReportFormProps) {
  const [reason, setReason] = useState('');
  const [logic] = useState(() => createReport(soundId));
  const form = useStore(logic.$form);
  if (form.state === 'done') return <Sent email={String(form.sent['email'])} soundId={soundId} />;
  return (
    <div className="form-card">
      <h1 className="form-title">サウンドの報告</h1>
      <p className="form-lead">
        権利の侵害や規約への違反を、運営者に報告できます。運営者が投稿者に事情を聞いて判断し、結果をメールでお知らせします。
      </p>
      <p className="form-note wrap-anywhere">
        <span>
          報告するサウンド：
          <a className="link" href={soundPath(soundId)}>
            {title}
          </a>
          （{artist}）
        </span>
      </p>
      <Form id="report" logic={logic} submitLabel="報告を送信する">
        <SelectField
          name="reason"
          label="報告の理由"
          placeholder="理由を選んでください"
          options={REASONS}
          onChoose={setReason}
        />
        {/* Stays in the form while hidden, so that its text is not lost. */}
        <div hidden={!isRightsReason(reason)}>
          <TextField
            name="relation"
            label="権利との関係"
            hint="例：著作権者本人、著作権者から委任された代理人"
            autoComplete="off"
            enterKeyHint="next"
          />
        </div>
        <TextAreaField
          name="explanation"
          label="説明"
          hint="どの部分が、何に、どのように当たるのかを書いてください。もとの作品があるときは、題名やURLも書いてください。投稿者に伝わります。"
          lengthMax={REPORT_LENGTH_MAX}
        />
        <TextField
          name="name"
          label="お名前"
          hint="下で選んだ場合だけ、投稿者に伝えます。"
          autoComplete="name"
          enterKeyHint="next"
        />
        <CheckboxField name="shares_name" isOptional>
          氏名を投稿者に伝えてよい
        </CheckboxField>
        <EmailField
          name="email"
          hint="確認のメールと、結果をお送りします。投稿者には伝えません。"
          autoComplete="email"
          enterKeyHint="next"
        />
        {isRightsReason(reason) && (
          <CheckboxField name="is_truthful">報告の内容と、権利との関係は事実です</CheckboxField>
        )}
      </Form>
    </div>
  );
}

function Sent({ email, soundId }: { email: string; soundId: string }) {
  return (
    <DoneView title="確認のメールをお送りしました" icon="mail">
      <p>
        <strong className="wrap-anywhere">{email}</strong> に届くメールのリンクを開いて、{CONFIRMATION_DAYS}
        日以内に報告を確定してください。確定すると、投稿者に知らせて回答を求めます。
      </p>
      <div className="form-help">
        <h2>メールが届かないとき</h2>
        <ul>
          <li>迷惑メールのフォルダーをご確認ください。</li>
          <li>メールアドレスに誤りがあったときは、もう一度報告してください。</li>
        </ul>
      </div>
      <a className="button form-submit" href={soundPath(soundId)}>
        サウンドのページに戻る
      </a>
    </DoneView>
  );
}

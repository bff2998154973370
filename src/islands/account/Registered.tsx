import { isExtended } from '../../browser/extended-host.ts';
import { DoneView } from '../ui/DoneView.tsx';

/** Thanks the new member and names what has to happen before the first log-in (spec §2). */
export function Registered({ email }: { email: string }) {
  return (
    <DoneView title="ご登録ありがとうございます" icon="mail">
      <p>
        <strong>{email}</strong> に確認のメールをお送りしました。メールのリンクを開くと、登録が完了します。
      </p>
      <div className="form-help">
        <h2>メールが届かないとき</h2>
        <ul>
          <li>数分かかることがあります。迷惑メールのフォルダーもご確認ください。</li>
          <li>
            アドレスが違っていたときは、
            <a className="link" href="/register" data-astro-reload>
              もう一度登録
            </a>
            してください。
          </li>
          {isExtended() && (
            <li>
              それでも届かないときは、
              <a className="link" href="/contact">
                お問い合わせ
              </a>
              ください。
            </li>
          )}
        </ul>
      </div>
      <a className="button form-submit" href="/">
        トップページへ
      </a>
    </DoneView>
  );
}

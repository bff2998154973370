import { useEffect, useState } from 'react';
import type { StartedSecondFactor } from '../../../../contract/operator/security.ts';
import {
  $recoveryCodes,
  $security,
  $started,
  createConfirmation,
  createEnding,
  hideSecrets,
  startSecurity,
} from './security.ts';
import { Form } from '../../ui/Form.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Loaded } from '../Loaded.tsx';
import { CodeField } from '../../ui/CodeField.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Turns the second factor of this account on and off. */
export function SecurityPanel() {
  const started = useStore($started);
  const codes = useStore($recoveryCodes);
  useEffect(() => hideSecrets, []);
  return (
    <Loaded query={$security} title="設定を読み込めませんでした">
      {({ is_on, recovery_codes }) =>
        is_on ? (
          <div className="grid gap-4">
            {codes.length > 0 && <RecoveryCodes codes={codes} />}
            <On recoveryCodes={recovery_codes} />
          </div>
        ) : started ? (
          <Setup started={started} />
        ) : (
          <Off />
        )
      }
    </Loaded>
  );
}

function Off() {
  return (
    <section className="panel security-panel">
      <h2 className="text-lg">2段階認証：無効</h2>
      <p>
        有効にすると、管理画面ではパスワードのほかに、認証アプリのコードが必要になります。サイトのほかのページは変わりません。
      </p>
      <p>
        <button type="button" className="button button-primary" onClick={() => void startSecurity()}>
          有効にする
        </button>
      </p>
    </section>
  );
}

function Setup({ started }: { started: StartedSecondFactor }) {
  const [form] = useState(createConfirmation);
  return (
    <section className="panel security-panel">
      <h2 className="text-lg">認証アプリに登録する</h2>
      <p>認証アプリでQRコードを読み取るか、キーを入力してください。</p>
      <QrCode lines={started.qr} />
      <p>
        キー：<code className="console-id">{started.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <p>アプリに表示された6桁のコードを入力すると、有効になります。</p>
      <Form id="confirm-code" logic={form} submitLabel="有効にする">
        <CodeField />
      </Form>
    </section>
  );
}

/** Dark on white in every colour scheme, as cameras expect. */
function QrCode({ lines }: { lines: readonly string[] }) {
  const path = lines
    .flatMap((line, y) => [...line.matchAll(/1+/g)].map(({ 0: run, index }) => toRun(index, y, run.length)))
    .join('');
  return (
    <svg
      role="img"
      aria-label="認証アプリで読み取るQRコード"
      className="w-60 max-w-full"
      viewBox={`0 0 ${lines.length} ${lines.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${lines.length}v${lines.length}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

const toRun = (x: number, y: number, length: number) => `M${x} ${y}h${length}v1h-${length}z`;

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <section className="panel security-panel" aria-labelledby="recovery-title">
      <h2 id="recovery-title" className="text-lg">
        回復コード
      </h2>
      <p>
        端末をなくしたときに、1つにつき1回使えます。いま書き留めて、端末とは別の場所に保管してください。もう一度表示することはできません。
      </p>
      <ul className="security-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function On({ recoveryCodes }: { recoveryCodes: number }) {
  const [form] = useState(createEnding);
  const { state } = useStore(form.$form);
  const [isEnding, setEnding] = useState(false);
  return (
    <section className="panel security-panel">
      <h2 className="text-lg">2段階認証：有効</h2>
      <p>残りの回復コードは{recoveryCodes}個です。回復コードを作り直すには、一度無効にしてください。</p>
      {isEnding ? (
        <Form id="end-code" logic={form} submitLabel="無効にする">
          <PasswordField label="パスワード" autoComplete="current-password" />
          <CodeField />
        </Form>
      ) : (
        <p>
          <button
            type="button"
            className="button"
            disabled={state === 'sending'}
            onClick={() => setEnding(true)}
          >
            無効にする…
          </button>
        </p>
      )}
    </section>
  );
}

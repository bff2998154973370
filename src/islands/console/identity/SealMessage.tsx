import type { KeyProblem } from './identity.ts';

interface SealMessageProps {
  problem: KeyProblem;
  /** The application of the photograph, if there is one. */
  id?: string;
}

/** Why a photograph was not opened, and what works instead. */
export function SealMessage({ problem, id = '受付番号' }: SealMessageProps) {
  return (
    <div className="grid max-w-160 gap-2 wrap-anywhere" role="alert">
      <p>{describe(problem)}</p>
      {problem.kind !== 'idle' && (
        <p className="text-sm">
          鍵のあるコンピューターで、次のコマンドでも開けます。
          <code className="console-command block">
            npm run operator -- personal-info view {id} --to id.jpg --reason "審査" --as メールアドレス
          </code>
        </p>
      )}
    </div>
  );
}

function describe(problem: KeyProblem): string {
  switch (problem.kind) {
    case 'no-x25519':
      return 'このブラウザーでは写真を開けません。HTTPSで開いているかを確かめ、新しいChrome、Edge、Firefox、Safariをお使いください。';
    case 'not-a-key-file':
      return '秘密鍵のファイルではありません。PERSONAL_INFO_KEY_FILE のファイル（PEM、PKCS #8、X25519）を選んでください。';
    case 'other-key':
      return `この写真を開く鍵がファイルにありません。必要な鍵の番号は ${problem.keyId} です。別の鍵のファイルを選んでください。鍵をなくした場合は、却下して再提出を依頼してください。`;
    case 'no-data-key':
      return 'この写真の封印を開くためのデータが失われています。開けないため、却下して再提出を依頼してください。';
    case 'modified':
      return 'この写真の封印は壊れているか、書き換えられています。開けないため、却下して再提出を依頼してください。';
    case 'idle':
      return '15分間使われなかったため、鍵を消しました。続けるには、もう一度選んでください。';
  }
}

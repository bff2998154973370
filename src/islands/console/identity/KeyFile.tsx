import { $keyProblem, $openingKeys, chooseKeyFile, forgetKeys } from './identity.ts';
import { SealMessage } from './SealMessage.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Chooses the file with the private keys, once per visit of the page. */
export function KeyFile() {
  const keys = useStore($openingKeys);
  const problem = useStore($keyProblem);
  return (
    <section className="panel desk-keyfile" aria-labelledby="keyfile-title">
      <h2 id="keyfile-title" className="form-label">
        写真を開く鍵
      </h2>
      {keys.length > 0 ? (
        <>
          <p role="status" className="min-w-0">
            読み込みました：<span className="console-id">{keys.map(({ id }) => id).join('、')}</span>
          </p>
          <button type="button" className="button" onClick={() => forgetKeys()}>
            鍵を消す
          </button>
        </>
      ) : (
        <>
          <label className="button desk-choose">
            鍵のファイルを選ぶ
            <input
              type="file"
              className="sr-only"
              accept=".pem,.key,application/x-pem-file"
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void chooseKeyFile(file);
                // The same file can be chosen again.
                event.currentTarget.value = '';
              }}
            />
          </label>
          <p className="form-hint">
            鍵はこのページのメモリーだけに置かれ、送信されません。ページを離れるか、15分間使わないと消えます。写真を開くと、操作の記録に残ります。
          </p>
        </>
      )}
      {problem && <SealMessage problem={problem} />}
    </section>
  );
}

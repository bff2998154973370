/** Says that an artist's own downloads are not counted: our host's rule (`server/features/downloads/rules.ts`). */
export function OwnDownloadsNote() {
  return (
    <p className="form-hint">
      ご自身によるダウンロードは、報酬にもダウンロード数にも含まれません。ログインに使ったブラウザや回線からのダウンロードも、ご自身によるものとして扱うことがあります。
    </p>
  );
}

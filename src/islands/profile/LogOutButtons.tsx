import { useRef } from 'react';
import { logOut } from '../../stores/account/account.ts';

/** Rendered before the profile has loaded, so that logging out never waits for it. */
export function LogOutButtons({ hasEverywhere }: { hasEverywhere: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <section className="profile-panel">
      <h2 className="text-lg">ログインの管理</h2>
      <div className="profile-actions">
        <button type="button" className="button" data-replay="" onClick={() => logOut()}>
          ログアウト
        </button>
        {hasEverywhere && (
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            data-replay=""
            onClick={() => dialog.current?.showModal()}
          >
            すべての端末からログアウト
          </button>
        )}
      </div>
      {hasEverywhere && (
        <dialog ref={dialog} className="sheet" aria-labelledby="log-out-title" closedby="any">
          <div className="grid gap-4 p-6">
            <h2 id="log-out-title" className="text-lg">
              すべての端末からログアウトしますか？
            </h2>
            <p>この端末を含め、ログインしているすべてのブラウザーでログインし直す必要があります。</p>
            <div className="dialog-actions">
              <button type="button" className="button" onClick={() => dialog.current?.close()}>
                キャンセル
              </button>
              <button
                type="button"
                className="button button-primary"
                onClick={() => {
                  dialog.current?.close();
                  logOut({ everywhere: true });
                }}
              >
                すべてログアウト
              </button>
            </div>
          </div>
        </dialog>
      )}
    </section>
  );
}

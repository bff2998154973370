import { logOut } from '../../stores/account/account.ts';
import { ask } from '../../stores/overlays/overlays.ts';

const EVERYWHERE = {
  title: 'すべての端末からログアウトしますか？',
  text: 'この端末を含め、ログインしているすべてのブラウザーでログインし直す必要があります。',
  action: 'すべてログアウト',
};

/** Rendered before the profile has loaded, so that logging out never waits for it. */
export function LogOutButtons({ hasEverywhere }: { hasEverywhere: boolean }) {
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
            onClick={() => void ask(EVERYWHERE).then((isSure) => isSure && logOut({ everywhere: true }))}
          >
            すべての端末からログアウト
          </button>
        )}
      </div>
    </section>
  );
}

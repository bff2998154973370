import { navigate } from '../../navigation/navigate.ts';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { CredentialsSchema } from '../../../contract/accounts/accounts.ts';
import { toSafePath } from './redirects.ts';
import { restoreScroll } from '../../browser/scroll.ts';
import { createConfirmation, logIn } from '../../stores/account/account.ts';
import { applyPendingFavorite } from '../../stores/favorites/favorites.ts';
import { $isRefused } from '../../stores/session/session.ts';
import { createForm } from '../../stores/shared/form.ts';
import { Form } from '../ui/Form.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { EmailField } from '../ui/TextField.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { AccountTabs } from './AccountTabs.tsx';
import { Confirmation } from './Confirmation.tsx';
import { useStore } from '../ui/use-store.ts';

/** Spec §9. */
const REDIRECT_DELAY_MS = 500;
/** The session has expired, or the host refuses the token of the log-in that it has just accepted. */
const REFUSED =
  'ログインの状態をサーバーで確認できなかったため、お手数ですが、もう一度ログインしてください。';

export function LoginForm({ canRegister }: { canRegister: boolean }) {
  const [logic] = useState(() =>
    createForm({ schema: v.pick(CredentialsSchema, ['email', 'password']), draft: 'login', send: logIn }),
  );
  const [confirmation] = useState(createConfirmation);
  const defaults = useStore(confirmation.$defaults);
  const { state } = useStore(logic.$form);
  const isRefused = useStore($isRefused);
  useEffect(() => {
    if (state !== 'done') return;
    const returnPath = toSafePath(new URLSearchParams(location.search).get('redirect')) ?? '/profile';
    // Replaces the history entry, so that going back skips the log-in page.
    const timer = setTimeout(() => {
      void navigate(returnPath, { history: 'replace' }).then(() => {
        restoreScroll(returnPath);
        applyPendingFavorite();
      });
    }, REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div className="form-card">
      <AccountTabs current="login" canRegister={canRegister} />
      <h1 className="form-title">アカウントにログイン</h1>
      <Confirmation confirmation={confirmation} />
      <div role="alert">
        <ProblemNote problems={isRefused ? [REFUSED] : []} />
      </div>
      <Form id="login" logic={logic} defaults={defaults} submitLabel="ログイン" doneLabel="ログインしました">
        {/* Password managers store the address as the account's user name. */}
        <EmailField name="email" autoComplete="username" enterKeyHint="next" />
        <PasswordField label="パスワード" autoComplete="current-password" />
      </Form>
      <p className="form-after">
        <a className="link" href="/forgot-password">
          パスワードを忘れたとき
        </a>
      </p>
    </div>
  );
}

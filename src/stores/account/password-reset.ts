import { atom } from 'nanostores';
import * as v from 'valibot';
import { NewPasswordSchema } from '../../../contract/passwords.ts';
import { takeFromAddress } from '../../lib/address.ts';
import { resetPassword } from './actions.ts';
import { createForm } from '../shared/form.ts';

const LinkSchema = v.object({ uid: v.string(), token: v.string() });
type Link = v.InferOutput<typeof LinkSchema>;

/** Until it is used, the link is as good as the password: it is kept for this tab alone, outside its address. */
const KEY = 'reset-password';

/** Choosing a new password by the link of a mail. A reload keeps the link. */
export function createPasswordReset() {
  const $isLinkMissing = atom(false);
  let link: Link | null = null;
  const form = createForm({
    schema: v.object({ password: NewPasswordSchema }),
    async send({ password }) {
      await resetPassword({ ...link, password });
      keepLink(null);
    },
  });

  /** Reads the link that the page was opened with. */
  function start(): void {
    const opened = takeFromAddress(['uid', 'token']);
    if (opened !== null) keepLink(opened);
    link = opened ?? link ?? recallLink();
    $isLinkMissing.set(link === null);
  }

  return { $isLinkMissing, form, start };
}

function keepLink(link: Link | null): void {
  try {
    if (link === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(link));
  } catch {
    // Storage can be forbidden; then a reload needs the mail once more.
  }
}

function recallLink(): Link | null {
  try {
    const { success, output } = v.safeParse(LinkSchema, JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    return success ? output : null;
  } catch {
    return null;
  }
}

import { atom } from 'nanostores';
import * as v from 'valibot';
import { resetPassword } from '../../../contract/accounts.ts';
import { NewPasswordSchema } from '../../../contract/passwords.ts';
import { callAnonymously } from '../../api/browser.ts';
import { takeFromAddress } from '../../browser/address.ts';
import { readStored, writeStored } from '../../browser/stored.ts';
import { createForm } from '../shared/form.ts';

const LinkSchema = v.object({ uid: v.string(), token: v.string() });
type Link = v.InferOutput<typeof LinkSchema>;

/** Until used, the link is as powerful as the password: it is kept in this tab only, not in the address. */
const KEY = 'reset-password';

/** Password reset by the link of a mail. A reload keeps the link. */
export function createPasswordReset() {
  const $isLinkMissing = atom(false);
  let link: Link | null = null;
  const form = createForm({
    schema: v.object({ password: NewPasswordSchema }),
    async send({ password }) {
      await callAnonymously(resetPassword, { body: { ...link, password } });
      saveLink(null);
    },
  });

  /** Reads the token from the page's address. */
  function start(): void {
    const opened = takeFromAddress(['uid', 'token']);
    if (opened !== null) saveLink(opened);
    link = opened ?? link ?? loadLink();
    $isLinkMissing.set(link === null);
  }

  return { $isLinkMissing, form, start };
}

function saveLink(link: Link | null): void {
  writeStored(KEY, link, 'sessionStorage');
}

function loadLink(): Link | null {
  return readStored(KEY, (stored) => (v.is(LinkSchema, stored) ? stored : null), 'sessionStorage');
}

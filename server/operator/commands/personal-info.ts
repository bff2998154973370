import { open, rm } from 'node:fs/promises';
import { decidePersonalInfo, viewPersonalInfo } from '../../features/reviews/personal-info/review.ts';
import type { Decision } from '../../features/reviews/personal-info/review.ts';
import { findSecret } from '../../platform/crypto/secrets.ts';
import { toFacts } from '../columns.ts';
import { REASON } from '../command.ts';
import type { CommandCall, Commands } from '../command.ts';
import { openOpeningKeys } from '../context.ts';
import { makeKeyPair } from '../key-pair.ts';
import { toWriteRefusal } from '../refusals.ts';

/**
 * What needs the private key, or a photograph that was opened with it in this process: the console opens it in the
 * browser, and its decision names that view.
 */
const MISSING = '(missing)';

export const personalInfo: Commands = {
  view: {
    target: 'ID',
    needs: { to: 'FILE', ...REASON },
    about: 'write the photograph to a new file that only you can read; the reason is recorded',
    async run({ context, target, options: { to = '', reason = '' }, requireStaff, print }) {
      const staff = await requireStaff();
      const deps = { ...context, openingKeys: openOpeningKeys(context) };
      const { details } = await writeNew(to, () => viewPersonalInfo(deps, target, staff.id, reason));
      print(
        toFacts({
          Member: details.username,
          Name: details.name || MISSING,
          Furigana: details.furigana || MISSING,
          Bank: details.bank_name || MISSING,
          Branch: details.branch_name || MISSING,
          Type: details.deposit_type || MISSING,
          Account: details.account_number || MISSING,
        }),
      );
      print(`\nCompare it with ${to}, and delete that file once you have decided.`);
    },
  },
  approve: {
    target: 'ID',
    about: 'approve an ID after viewing it; deletes the photograph',
    run: (call) => decide(call, 'approved'),
  },
  reject: {
    target: 'ID',
    needs: REASON,
    about: 'reject an ID; the member sees the reason; deletes the photograph',
    run: (call) => decide(call, 'rejected'),
  },
  'make-key': {
    target: 'FILE',
    about: 'write a new private key for photographs to FILE, and print the setting with its public half',
    async runBare({ target, print }) {
      print(`PERSONAL_INFO_PUBLIC_KEY=${makeKeyPair(target)}`);
      print(
        `\nSet this line for the server. ${target} opens the photographs: keep it where the staff works, never on the ` +
          'server, and back it up.',
      );
    },
  },
};

async function decide(call: CommandCall, decision: Decision): Promise<void> {
  const { context, target, options, print } = call;
  const staff = await call.requireStaff();
  const deps = { ...context, sessionSecret: findSecret(context.settings, 'sessions') };
  await decidePersonalInfo(deps, target, staff.id, decision, options['reason']);
  print(`${decision === 'approved' ? 'Approved' : 'Rejected'} ${target}.`);
}

/** The file is created before the image is opened, so that no view is recorded if the file cannot be written. */
async function writeNew<Viewed extends { readonly image: Uint8Array }>(
  path: string,
  read: () => Promise<Viewed>,
): Promise<Viewed> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw toWriteRefusal(path, error);
  });
  try {
    const viewed = await read();
    await file.writeFile(viewed.image);
    return viewed;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

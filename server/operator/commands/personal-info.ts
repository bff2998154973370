import { open, rm } from 'node:fs/promises';
import {
  decidePersonalInfo,
  listPendingPersonalInfo,
  viewPersonalInfo,
} from '../../features/personal-info/review.ts';
import type { Decision } from '../../features/personal-info/review.ts';
import { toColumns, toTime } from '../columns.ts';
import { tellMail } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { openSealingKeys } from '../desk.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../refusals.ts';

export const personalInfo: Readonly<Record<string, Command>> = {
  list: {
    about: 'IDs that wait, the oldest first, with what they are compared with',
    takesJson: true,
    async run({ desk, isJson, print }) {
      const waiting = await listPendingPersonalInfo(desk.database.db);
      if (isJson) return print(JSON.stringify(waiting, null, 2));
      if (waiting.length === 0) return print('No personal info waits.');
      print(
        toColumns(
          ['ID', 'SINCE', 'MEMBER', 'NAME', 'FURIGANA'],
          waiting.map((each) => [each.id, toTime(each.submittedAt), each.username, each.name, each.furigana]),
        ),
      );
    },
  },
  view: {
    target: 'ID',
    needs: ['to'],
    about: 'write the photograph to a new file that only you can read; that you looked is recorded',
    async run({ desk, target, to, requireStaff, print }) {
      const staff = await requireStaff();
      await writeNew(to, () => viewPersonalInfo(toDeps(desk), target, staff.id));
      print(`Written to ${to}. Delete it once you have decided.`);
    },
  },
  approve: {
    target: 'ID',
    about: 'the ID fits the member; destroys the photograph',
    run: (call) => decide(call, 'confirmed'),
  },
  reject: {
    target: 'ID',
    needs: ['reason'],
    about: 'refuse, with a reason that the member reads; destroys the photograph',
    run: (call) => decide(call, 'rejected'),
  },
};

async function decide(call: CommandCall, decision: Decision): Promise<void> {
  const { desk, target, reason, print } = call;
  const staff = await call.requireStaff();
  const waiting = await listPendingPersonalInfo(desk.database.db);
  await decidePersonalInfo(toDeps(desk), target, staff.id, decision, reason);
  print(`${decision === 'confirmed' ? 'Approved' : 'Rejected'} ${target}.`);
  tellMail(call, waiting.find(({ id }) => id === target)?.username ?? 'the member');
}

function toDeps(desk: Desk) {
  return { ...desk, personalInfoKeys: openSealingKeys(desk) };
}

/** The file is there before the image is opened: nobody is recorded for what could not be written. */
async function writeNew(path: string, read: () => Promise<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(
      error.code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written (${error.code})`,
    );
  });
  try {
    await file.writeFile(await read());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

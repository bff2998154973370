import { verifyLedger } from '../../features/ledger/verify.ts';
import type { Command } from '../command.ts';
import type { CommandContext } from '../context.ts';

export const ledger: Readonly<Record<string, Command>> = {
  verify: {
    reads: true,
    about: 'verify the ledger; exit code 1 if it is inconsistent',
    takesJson: true,
    async run({ context, isJson, print }) {
      const problems = await verifyAtOnce(context);
      if (isJson) print(JSON.stringify(problems, null, 2));
      else print(problems.length === 0 ? 'The ledger is consistent.' : problems.join('\n'));
      return problems.length === 0 ? 0 : 1;
    },
  },
};

/** Concurrent entries must neither appear as errors nor be blocked. */
function verifyAtOnce({ database: { db } }: CommandContext): Promise<string[]> {
  return db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(verifyLedger);
}

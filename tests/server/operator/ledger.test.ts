import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import { ledger } from '#server/operator/commands/ledger.ts';
import { ruleDatabases } from '#support/databases/databases.ts';

test.each(ruleDatabases)(
  'ledger verify recounts the books beside a server that is writing to $name',
  async ({ locate }) => {
    const { location, remove } = await locate();
    const database = await openDatabase(location);
    const beside = await openDatabase(location);
    onTestFinished(async () => {
      await beside.close();
      await database.close();
      await remove();
    });
    await beside.db.transaction().execute(async () => {
      const printed: string[] = [];
      const context = { database } as never;
      await ledger['verify']?.run({
        context,
        isJson: false,
        print: (line: string) => printed.push(line),
      } as never);
      expect(printed).toEqual(['The ledger is consistent.']);
    });
  },
);

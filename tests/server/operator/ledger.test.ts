import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import { ledger } from '#server/operator/commands/ledger.ts';
import { openLocated, ruleDatabases } from '#support/databases/databases.ts';

test.each(ruleDatabases)(
  'ledger verify recounts the books beside a server that is writing to $name',
  async ({ locate }) => {
    const place = await locate();
    const database = await openLocated(place);
    const beside = await openDatabase(place.location);
    onTestFinished(() => beside.close());
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

import type { Month } from '../../../contract/values/months.ts';
import type { Statement } from '../../../contract/payouts/statements.ts';
import { SOUND_REFERENCE, selectMonthByReference } from './statement-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

type Line = Statement['sounds'][number];

/**
 * A member's earnings of a month (in Japan) by sound, ordered by yen, then by downloads. Entries that are not about a
 * single sound are combined in the last line. Reversals are subtracted; lines that become 0 stay. Adds up to the
 * month's figures of `readFigures`.
 */
export async function readStatement(db: Handle, userId: string, month: Month): Promise<Statement> {
  const rows = await selectMonthByReference(db, userId, month);
  const lines = rows.map(({ reference, title, reward, downloads }): Line => {
    const isSound = reference.startsWith(SOUND_REFERENCE);
    return {
      sound_id: isSound ? reference.slice(SOUND_REFERENCE.length) : null,
      title: isSound ? title : null,
      reward: Number(reward),
      downloads: Number(downloads),
    };
  });
  const sounds = lines.filter(({ sound_id }) => sound_id !== null).sort(compareLines);
  const others = lines.filter(({ sound_id }) => sound_id === null);
  if (others.length > 0) sounds.push({ sound_id: null, title: null, ...sumLines(others) });
  return { month, ...sumLines(sounds), sounds };
}

function compareLines(a: Line, b: Line): number {
  return (
    b.reward - a.reward || b.downloads - a.downloads || ((a.sound_id ?? '') < (b.sound_id ?? '') ? -1 : 1)
  );
}

function sumLines(lines: readonly Line[]): Pick<Statement, 'reward' | 'downloads'> {
  return {
    reward: lines.reduce((sum, { reward }) => sum + reward, 0),
    downloads: lines.reduce((sum, { downloads }) => sum + downloads, 0),
  };
}

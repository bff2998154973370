import { approveHeldCredits, rejectHeldCredits } from '../../features/downloads/review-many.ts';
import { toBlockerText } from '../../features/downloads/credit-blocked.ts';
import { REASON } from '../command.ts';
import type { CommandCall, Commands } from '../command.ts';
import { toDayNumber } from '../inputs.ts';
import { getArtistId } from '../members.ts';

/**
 * All held credits of an artist. The console decides on those of a day up to the last one that it has listed, at most
 * 1,000 at once.
 */
export const credits: Commands = {
  'approve-all': {
    takes: { day: 'YYYY-MM-DD' },
    needs: { artist: 'NAME' },
    about: 'approve the held credits of an artist, or those of one day',
    run: (call) => decideAll(call, true),
  },
  'reject-all': {
    takes: { day: 'YYYY-MM-DD' },
    needs: { artist: 'NAME', ...REASON },
    about: 'reject the held credits of an artist, or those of one day, for one reason',
    run: (call) => decideAll(call, false),
  },
};

async function decideAll(call: CommandCall, isApproved: boolean): Promise<number> {
  const { context, options, requireStaff, print } = call;
  const day = options['day'] === undefined ? undefined : toDayNumber(options['day']);
  const staff = await requireStaff();
  const group = { artistId: await getArtistId(context, options['artist'] ?? ''), day };
  const { credits, yen, skipped } = await (isApproved
    ? approveHeldCredits(context, group, staff.id)
    : rejectHeldCredits(context, group, staff.id, options['reason'] ?? ''));
  print(`${isApproved ? 'Approved' : 'Rejected'}: ${credits} credits, ${yen} yen.`);
  if (skipped === undefined) return 0;
  print(`Skipped: ${skipped.credits} credits; ${toBlockerText(skipped.blocker)}`);
  return 1;
}

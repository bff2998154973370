import * as v from 'valibot';
import { FileAnalysisSchema } from '../../../../contract/operator/operator.ts';
import type { FileAnalysis } from '../../../../contract/operator/operator.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { withLease } from '../../../platform/concurrency/leases.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import { decodeStored } from '../../my-sounds/stored-sounds.ts';
import { selectUndecodedFiles, setAnalysis } from './queries.ts';

export type AnalysisDeps = Pick<Platform, 'database' | 'storage' | 'temporaryFiles' | 'logger'>;

/**
 * Decodes the files of a waiting application that nobody has decoded yet, and keeps waveforms and findings for the
 * staff, unless another call or process is at it. A file that crashes its decoder counts as unreadable. Never throws.
 */
export async function analyseFiles(
  deps: AnalysisDeps,
  applicationId: string,
  ending?: AbortSignal,
): Promise<void> {
  const { database, logger } = deps;
  try {
    await withLease(database, logger, `quality check ${applicationId}`, async () => {
      for (const file of await selectUndecodedFiles(database.db, applicationId)) {
        const result = await decodeStored(deps, file, { owner: applicationId, ending });
        if (result.state === 'stopped') return;
        const analysis: FileAnalysis =
          result.state === 'decoded'
            ? { state: 'read', peaks: result.peaks, findings: result.findings }
            : { state: 'unreadable' };
        await setAnalysis(database.db, applicationId, file.slot, JSON.stringify(analysis));
      }
    });
  } catch (error) {
    // Decided meanwhile, or tried again when the staff opens the application.
    if (!(error instanceof MissingObjectError)) {
      logger.warn({ err: error, applicationId }, 'failed to analyse an application');
    }
  }
}

/** null for a file that is not decoded yet. */
export function toAnalysis(stored: string | null): FileAnalysis | null {
  if (stored === null) return null;
  const read = v.safeParse(FileAnalysisSchema, JSON.parse(stored));
  return read.success ? read.output : { state: 'unreadable' };
}

import { deleteExpiredUndoLinks } from './features/accounts/accounts.ts';
import { sweepDownloads } from './features/downloads/downloads.ts';
import {
  expirePersonalInfo,
  resealPersonalInfo,
  sweepDecidedPersonalInfo,
  sweepQualityChecks,
} from './features/reviews/reviews.ts';
import { deleteRetiredPictures } from './features/pictures/pictures.ts';
import { finishWaveforms, sweepUnclaimedFiles, sweepUploads } from './features/my-sounds/my-sounds.ts';
import { finishIndexing } from './features/catalogue/catalogue.ts';
import type { Chore } from './platform/concurrency/concurrency.ts';
import type { ApiDeps } from './platform/http/http.ts';

/** What the chores need, in addition to what the API has. */
type ChoreDeps = Pick<
  ApiDeps,
  | 'database'
  | 'storage'
  | 'clock'
  | 'logger'
  | 'siteUrl'
  | 'siteName'
  | 'temporaryFiles'
  | 'uploadFiles'
  | 'afterwork'
  | 'personalInfoKey'
  | 'downloadLimits'
  | 'catalogueChanged'
> & {
  /** Symmetric keys of earlier versions, deleted once nothing is sealed under them. */
  readonly retiredKeyFiles: readonly string[];
};

/** Everything that the host does at its start and once an hour, in this order. */
export function listChores(deps: ChoreDeps): readonly Chore[] {
  const { database, storage, afterwork, catalogueChanged } = deps;
  return [
    { name: 'half-written files', run: () => storage.sweep() },
    { name: 'overwritten data', run: async () => void database.dropOverwritten() },
    { name: 'images of IDs sealed before', run: () => resealPersonalInfo(deps, deps.retiredKeyFiles) },
    { name: 'images of undecided IDs', run: () => expirePersonalInfo(deps) },
    { name: 'images of decided IDs', run: () => sweepDecidedPersonalInfo(deps) },
    { name: 'files of decided quality checks', run: () => sweepQualityChecks(deps) },
    { name: 'expired undo links', run: () => deleteExpiredUndoLinks(deps) },
    { name: 'replaced pictures', run: () => deleteRetiredPictures(deps) },
    { name: 'files without a sound', run: () => sweepUnclaimedFiles(deps) },
    { name: 'abandoned uploads', run: () => sweepUploads(deps) },
    { name: 'expired download records', run: () => sweepDownloads(deps) },
    {
      name: 'the search index of changed artists',
      async run() {
        if ((await finishIndexing(database)) > 0) catalogueChanged();
      },
    },
    // Reading an hour of sound takes a while; the next chores do not wait for it.
    {
      name: 'unread waveforms',
      run: async () => afterwork.start((ending) => finishWaveforms(deps, { ending })),
    },
  ];
}

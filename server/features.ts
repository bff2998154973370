import { accountsFeature } from './features/accounts/module.ts';
import { apiDocsFeature } from './features/api-docs/module.ts';
import { artistsFeature } from './features/artists/module.ts';
import { backupsFeature } from './features/backups/module.ts';
import { catalogueFeature } from './features/catalogue/module.ts';
import { certificatesFeature } from './features/certificates/module.ts';
import { consoleFeature } from './features/console/module.ts';
import { downloadsFeature } from './features/downloads/module.ts';
import { drillFeature } from './features/drill/module.ts';
import { ledgerFeature } from './features/ledger/module.ts';
import { mailFeature } from './features/mail/module.ts';
import { messagesFeature } from './features/messages/module.ts';
import { mySoundsFeature } from './features/my-sounds/module.ts';
import { ownDataFeature } from './features/own-data/module.ts';
import { picturesFeature } from './features/pictures/module.ts';
import { profileFeature } from './features/profile/module.ts';
import { reportsFeature } from './features/reports/module.ts';
import { reviewsFeature } from './features/reviews/module.ts';
import { siteFeature } from './features/site/module.ts';
import { statisticsFeature } from './features/statistics/module.ts';
import { usesFeature } from './features/uses/module.ts';
import { noticesFeature } from './features/notices/module.ts';
import { listFileOwners } from './features/feature.ts';
import type { Feature } from './features/feature.ts';
import type { FileOwner } from './features/stored-files/owners.ts';

/**
 * The features of the server: each is a folder and a line here. Scheduled jobs run in this order: those that protect
 * members first, the longest last.
 */
export const FEATURES: readonly Feature<unknown>[] = [
  siteFeature,
  reviewsFeature,
  accountsFeature,
  profileFeature,
  picturesFeature,
  artistsFeature,
  mailFeature,
  messagesFeature,
  reportsFeature,
  ledgerFeature,
  mySoundsFeature,
  noticesFeature,
  certificatesFeature,
  downloadsFeature,
  statisticsFeature,
  usesFeature,
  ownDataFeature,
  catalogueFeature,
  backupsFeature,
  drillFeature,
  consoleFeature,
  apiDocsFeature,
];

/** Every table with files in the storage. */
export const FILE_OWNERS: readonly FileOwner[] = listFileOwners(FEATURES);

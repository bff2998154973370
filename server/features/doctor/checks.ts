import type { Check } from './check.ts';
import { backupCopies } from './checks/backup-copies.ts';
import { backupFiles, backupsCheck } from './checks/backups.ts';
import { bucket, bucketAbilities } from './checks/bucket.ts';
import { certificates } from './checks/issued-certificates.ts';
import { certificate } from './checks/certificate.ts';
import { clockCheck } from './checks/clock.ts';
import { counters } from './checks/counters.ts';
import { databaseCheck } from './checks/database.ts';
import { databaseIntegrity } from './checks/database-integrity.ts';
import { databaseReplica } from './checks/database-replica.ts';
import { decisions } from './checks/decisions.ts';
import { erasureList } from './checks/erasures.ts';
import { farms } from './checks/farms.ts';
import { folders } from './checks/folders.ts';
import { freeSpace } from './checks/free-space.ts';
import { identityKeys, waitingIds } from './checks/identity-keys.ts';
import { ledgerCheck } from './checks/ledger.ts';
import { mails } from './checks/mails.ts';
import { nodeCheck } from './checks/node.ts';
import { overdueWork } from './checks/overdue-work.ts';
import { payees } from './checks/payees.ts';
import { permissions } from './checks/permissions.ts';
import { productionSettings } from './checks/production-settings.ts';
import { publicAddress } from './checks/public-address.ts';
import { schema } from './checks/schema.ts';
import { records } from './checks/records.ts';
import { searchIndex } from './checks/search-index.ts';
import { secrets } from './checks/secrets.ts';
import { severalMachines } from './checks/several-machines.ts';
import { submissions } from './checks/submissions.ts';
import { uploads } from './checks/uploads.ts';
import { values } from './checks/values.ts';
import { alteredFiles } from './files/altered.ts';
import { missingFiles } from './files/missing.ts';
import { unknownFiles } from './files/unknown.ts';

/** Every check in the order in which it runs: what does not need the data first, then what is quick, the longest last. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  publicAddress,
  productionSettings,
  severalMachines,
  freeSpace,
  databaseCheck,
  folders,
  bucket,
  bucketAbilities,
  permissions,
  secrets,
  identityKeys,
  clockCheck,
  backupsCheck,
  backupCopies,
  mails,
  uploads,
  submissions,
  overdueWork,
  farms,
  certificate,
  databaseReplica,
  backupFiles,
  erasureList,
  schema,
  waitingIds,
  databaseIntegrity,
  ledgerCheck,
  counters,
  records,
  decisions,
  payees,
  values,
  missingFiles,
  unknownFiles,
  searchIndex,
  certificates,
  alteredFiles,
];

/** What people decided is as it was on the site, whose doctor reports it; the keys of photographs are not in a backup. */
const OF_THE_SITE: ReadonlySet<Check> = new Set([waitingIds, decisions, payees]);
/** Those of the rows and files alone, which a restored copy passes elsewhere. */
export const DATA_CHECKS: readonly Check[] = CHECKS.filter(
  (check) => check.priority === 'critical' && check.consoleText === null && !OF_THE_SITE.has(check),
);

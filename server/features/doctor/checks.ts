import type { Feature } from '../feature.ts';
import { STAGES, addUp } from './check.ts';
import type { Check, Finding, Site } from './check.ts';
import { bucket, bucketAbilities } from './checks/bucket.ts';
import { certificate } from './checks/certificate.ts';
import { clockCheck } from './checks/clock.ts';
import { databaseCheck } from './checks/database.ts';
import { databaseIntegrity } from './checks/database-integrity.ts';
import { databaseReplica } from './checks/database-replica.ts';
import { folders } from './checks/folders.ts';
import { freeSpace } from './checks/free-space.ts';
import { nodeCheck } from './checks/node.ts';
import { permissions } from './checks/permissions.ts';
import { productionSettings } from './checks/production-settings.ts';
import { publicAddress } from './checks/public-address.ts';
import { schema } from './checks/schema.ts';
import { secrets } from './checks/secrets.ts';
import { severalMachines } from './checks/several-machines.ts';
import { values } from './checks/values.ts';
import { alteredFiles } from './files/altered.ts';
import { missingFiles } from './files/missing.ts';
import { unknownFiles } from './files/unknown.ts';

/** Those of the machine and the platform, in the order of their stage. */
const OWN_CHECKS: readonly Check[] = [
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
  clockCheck,
  certificate,
  databaseReplica,
  schema,
  databaseIntegrity,
  values,
  missingFiles,
  unknownFiles,
  alteredFiles,
];

/** Every check in the order in which it runs: by stage, those of the machine before those of features. */
export function listChecks(features: readonly Pick<Feature, 'checks'>[]): readonly Check[] {
  const checks = [...OWN_CHECKS, ...features.flatMap(({ checks: own = [] }) => own)];
  const whole = [...Map.groupBy(checks, ({ name }) => name).values()].flatMap(join);
  return STAGES.flatMap((stage) => whole.filter((check) => check.stage === stage));
}

/** Those of the rows and files alone, which a restored copy passes elsewhere. */
export function listDataChecks(features: readonly Pick<Feature, 'checks'>[]): readonly Check[] {
  return listChecks(features).filter(
    ({ priority, consoleText, skipsCopies }) =>
      priority === 'critical' && consoleText === null && !skipsCopies,
  );
}

/** The check whose parts these are. */
function join([first, ...others]: readonly Check[]): Check[] {
  if (first === undefined || others.length === 0) return first === undefined ? [] : [first];
  const run = async (site: Site) => {
    const findings: Finding[] = [];
    for (const part of [first, ...others]) findings.push(...(await part.run(site)));
    return addUp(findings);
  };
  return [{ ...first, run }];
}

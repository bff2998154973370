export { decideUseAsStaff, decideUses } from './decisions.ts';
/** @public For statistics. */
export { selectStaffUses } from './queries.ts';
export { tellUse } from './telling.ts';

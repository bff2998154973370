export { decideUseAsStaff, decideUses } from './decisions.ts';
export { selectStaffUses } from './queries.ts';
export { tellUse } from './telling.ts';

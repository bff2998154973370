import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';

/** As in server/check-node.mjs. */
export const NODE_MAJOR_MIN = 24;

export const nodeCheck: Check = {
  name: 'Node',
  priority: 'critical',
  stage: 'first',
  consoleText: 'Nodeのバージョンが対応していません',
  async run({ nodeVersion }) {
    if (Number.parseInt(nodeVersion, 10) >= NODE_MAJOR_MIN) return [];
    return [
      diagnose({
        kind: 'too-old',
        found: `This is Node ${nodeVersion}.`,
        meaning: `The server needs Node ${NODE_MAJOR_MIN} or newer.`,
        remedy: 'Run it by "npm run …", which uses the Node in node_modules.',
      }),
    ];
  },
};

import manifest from '../../../package.json' with { type: 'json' };

/** Node's options of `npm start`, for a process in the root of the repository. */
export const NODE_OPTIONS = manifest.scripts.start.split(' ').slice(1, -1);

/**
 * Returns the package.json of a project without scaffolder.
 *
 * @param {Record<string, string>} scripts
 * @param {Record<string, string>} dependencies
 * @param {Record<string, unknown>} [others]
 */
export const manifest = (scripts, dependencies, others = { type: 'module' }) =>
  `${JSON.stringify({ name: 'app', private: true, ...others, scripts, dependencies }, undefined, 2)}\n`

/** Environment variable with the control token of a platform. */
export const controlTokenName = 'SERVICEKIT_CONTROL_TOKEN'

/** Path of a platform below which all control operations are. */
export const controlPath = '/_platform'

/** Effects of control operations, by method. */
export const controlEffects = {
  GET: 'read',
  PUT: 'replace',
  DELETE: 'replace',
  POST: 'create',
} as const

/** Environment variable with the control token of a platform. */
export const controlTokenName = 'SERVICEKIT_CONTROL_TOKEN'

/** Effects of control operations, by method. */
export const controlEffects = {
  GET: 'read',
  PUT: 'replace',
  DELETE: 'replace',
  POST: 'create',
} as const

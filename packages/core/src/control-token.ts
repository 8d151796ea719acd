/** Environment variable with the control token of a platform. */
export const controlTokenName = 'SERVICEKIT_CONTROL_TOKEN'

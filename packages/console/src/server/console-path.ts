/** Path of the console on the platform. */
export const consolePath = '/console'

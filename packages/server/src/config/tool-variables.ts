/** Environment variables that build tools and commands read, apart from settings of the server. */
export const toolVariables = [
  'SERVICEKIT_URL',
  'SERVICEKIT_PROJECT_KEY',
  'SERVICEKIT_PRESET',
  'SERVICEKIT_KEY_HEADER',
  'SERVICEKIT_TOKEN',
  'SERVICEKIT_CLIENT_ID',
  'SERVICEKIT_CLIENT_SECRET',
  'SERVICEKIT_CONTROL_TOKEN',
  'SERVICEKIT_INSTALLED',
  'SERVICEKIT_CONFIG',
  'SERVICEKIT_NEXT_ROOT',
] as const

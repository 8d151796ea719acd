/**
 * Web console of the platform: a Fetch handler in front of a platform, which serves the pages of
 * `src/app`. They call the control operations of the platform themselves.
 *
 * The browser holds no token: users sign in with the cookies of the platform's sessions.
 */
export type { ConsoleOptions, ConsolePlatform } from './console-call.ts'
export { withConsole } from './with-console.ts'

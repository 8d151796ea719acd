/** Serves the web console in front of a platform. */
export { type ConsoleOptions, withConsole } from '@servicekit/console'

/** Module hooks that report every file that is loaded; they run in a thread of their own. */

/** @type {import('node:worker_threads').MessagePort} */
let port

/** @param {{ port: import('node:worker_threads').MessagePort }} data */
export function initialize(data) {
  port = data.port
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (url.startsWith('file:')) port.postMessage(url)
  return next(url, context)
}

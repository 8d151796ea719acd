/** Module hooks that report every loaded file; they run in a separate thread. */

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

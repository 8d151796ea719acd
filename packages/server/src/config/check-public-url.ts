import { connect, type PeerCertificate } from 'node:tls'
import { type ConnectionResult, failed, ok, skipped, variableOf } from './connection-result.ts'
import type { Settings } from './settings.ts'

/** Days before its end from which on a certificate should have been renewed. */
const renewalDays = 14
/** Time in ms for the proxy, which may not run yet, to respond. */
const timeoutMs = 10_000

/** Checks the certificate that browsers get, if the proxy in front runs already. */
export async function checkCertificate({ publicUrl }: Settings): Promise<ConnectionResult> {
  const { protocol, hostname, port } = new URL(publicUrl!)
  if (protocol !== 'https:') return skipped(`${publicUrl} is not https.`)
  const found = await readCertificate(hostname, Number(port || 443))
  if ('unreachable' in found) {
    return skipped(`Nothing responds at ${publicUrl} yet: ${found.unreachable}.`)
  }
  if (found.problem !== undefined) {
    return failed(`Browsers refuse the certificate of ${publicUrl}: ${found.problem}.`)
  }
  const days = Math.floor((Date.parse(found.certificate.valid_to) - Date.now()) / 86_400_000)
  return days < renewalDays
    ? failed(`The certificate of ${publicUrl} ends in ${days} days. Check that it is renewed.`)
    : ok(`That of ${publicUrl} is valid for ${days} days.`)
}

type Found =
  | { readonly unreachable: string }
  | { readonly problem: string | undefined; readonly certificate: PeerCertificate }

function readCertificate(host: string, port: number): Promise<Found> {
  return new Promise((resolve) => {
    // An invalid certificate is what this looks for; nothing is sent.
    const options = { host, port, servername: host, rejectUnauthorized: false, timeout: timeoutMs }
    const socket = connect(options, () => {
      const certificate = socket.getPeerCertificate()
      const problem = socket.authorized ? undefined : String(socket.authorizationError)
      socket.destroy()
      resolve({ problem, certificate })
    })
    const fail = (unreachable: string): void => {
      socket.destroy()
      resolve({ unreachable })
    }
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => fail(code ?? message))
    socket.on('timeout', () => fail(`no response within ${timeoutMs} ms`))
  })
}

/** Checks that a server that runs at `publicUrl` has the same control token. */
export async function checkControlToken({
  publicUrl,
  controlToken,
}: Settings): Promise<ConnectionResult> {
  if (controlToken === undefined) return skipped('None is set: the control routes are closed.')
  const response = await fetch(`${publicUrl}/_platform/projects`, {
    headers: { authorization: `Bearer ${controlToken}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined)
  await response?.body?.cancel()
  // A proxy whose server has not started responds with 502 to 504.
  if (!response || response.status >= 502) {
    return skipped(`Nothing responds at ${publicUrl} yet.`)
  }
  const { status } = response
  if (status === 200) return ok(`The server at ${publicUrl} accepts it.`)
  if (status === 401 || status === 403) {
    return failed(
      `The server at ${publicUrl} refuses it (${status}). Check ${variableOf('controlToken')} of all instances.`,
    )
  }
  return failed(`${publicUrl}/_platform/projects responds with ${status}. Check the proxy.`)
}

import { connect } from 'node:net'
import { RequestError } from '@servicekit/client'
import { readCredentials } from '@servicekit/client/environment'
import { type QueryNaming, gatewayShapes } from '@servicekit/contract/service'
import { probeService, type Service, type ServiceFacts } from '../init/service.ts'
import type { Finding } from './finding.ts'

/** Result of {@link checkService}. */
export interface CheckedService {
  readonly findings: readonly Finding[]
  /** Undefined if the service cannot be reached or refuses the project key. */
  readonly facts?: ServiceFacts
}

/**
 * Checks that the service can be reached, accepts the project key, and that the configured options
 * fit it.
 */
export async function checkService(
  service: Service,
  {
    queryNaming,
    signal,
  }: {
    /** Option of the gateway; `unused` if nothing is generated. */
    readonly queryNaming: QueryNaming | 'unused' | undefined
    readonly signal: AbortSignal
  },
): Promise<CheckedService> {
  try {
    const facts = await probeService(service, signal)
    return { facts, findings: optionFindings(facts, queryNaming) }
  } catch (error) {
    if (signal.aborted || !(error instanceof RequestError)) throw error
    return { findings: [await explain(error, service)] }
  }
}

function optionFindings(
  { service, isOther, keyHeader, queryNaming, schemaStatus }: ServiceFacts,
  configured: QueryNaming | 'unused' | undefined,
): readonly Finding[] {
  const where = service.baseUrl
  const findings: Finding[] = []
  const { preset = 'interface' } = service
  if (isOther) {
    findings.push({
      code: 'SERVICE_OPTIONS',
      problem: `The service reads the project key from the header ${keyHeader}`,
      where,
      fix: `Set preset: '${preset}' in servicekit.config, or SERVICEKIT_PRESET, and remove keyHeader.`,
    })
  }
  if (configured === 'unused') return findings
  if (queryNaming !== (configured ?? gatewayShapes[preset].queryNaming)) {
    findings.push({
      code: 'SERVICE_OPTIONS',
      problem: `The names of the gateway's queries are ${queryNaming}`,
      where,
      fix: `Set gateway: { queryNaming: '${queryNaming}' } in servicekit.config.`,
    })
  }
  if (schemaStatus === 401 || schemaStatus === 403) {
    findings.push({
      code: 'SERVICE_CREDENTIALS',
      problem: `The service refused to list the schemas (${schemaStatus})`,
      where,
      fix: readCredentials(process.env).help,
    })
  }
  return findings
}

async function explain(error: RequestError, { baseUrl, projectKey }: Service): Promise<Finding> {
  const where = baseUrl
  const summary = error.message.split('\n', 1)[0]!
  if (error.code === 'REQUEST_REFUSED') {
    return {
      code: 'SERVICE_REFUSED',
      problem: `The service refused project key ${projectKey} (${error.status})`,
      where,
      fix: 'Correct projectKey in servicekit.config, or SERVICEKIT_PROJECT_KEY. If the key is right, set keyHeader to the header from which the service reads it.',
    }
  }
  const speaks = await protocolOf(baseUrl)
  const { protocol } = new URL(baseUrl)
  if (speaks && `${speaks}:` !== protocol) {
    return {
      code: 'SERVICE_PROTOCOL',
      problem: `The URL begins with ${protocol}//, but the port speaks ${speaks}`,
      where,
      fix: `Use ${baseUrl.replace(/^https?/, speaks)} as baseUrl in servicekit.config, or SERVICEKIT_URL.`,
    }
  }
  return {
    code: 'SERVICE_UNREACHABLE',
    problem: summary,
    where,
    fix: /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::|\/|$)/.test(baseUrl)
      ? 'Start the local platform with `servicekit dev`, or correct baseUrl in servicekit.config.'
      : 'Check the network and baseUrl in servicekit.config, or SERVICEKIT_URL.',
  }
}

/** Returns the protocol that a port speaks: the first bytes after a plain HTTP request. */
function protocolOf(baseUrl: string): Promise<'http' | 'https' | undefined> {
  const { hostname, port, protocol } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), host, () => {
      socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    })
    const finish = (result: 'http' | 'https' | undefined): void => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(3000, () => finish(undefined))
    socket.once('data', (bytes) => {
      const text = bytes.toString('latin1')
      // A TLS alert, or the page in which some servers ask for https.
      const isTls = bytes[0] === 0x15 || /HTTPS port/i.test(text)
      finish(isTls ? 'https' : text.startsWith('HTTP/') ? 'http' : undefined)
    })
    socket.once('error', () => finish(undefined))
    socket.once('close', () => finish(undefined))
  })
}

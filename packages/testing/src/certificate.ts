import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Creates a certificate for a host name, which is its own authority, in a folder.
 *
 * @returns its path and its parts
 */
export async function createCertificate(folder: string, host = 'localhost') {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'
  const subject = `-subj /CN=${host} -addext subjectAltName=DNS:${host}`
  const args = `${request} ${subject}`.split(' ')
  await run('openssl', [...args, '-keyout', key, '-out', cert])
  return { path: cert, key: await readFile(key), cert: await readFile(cert) }
}

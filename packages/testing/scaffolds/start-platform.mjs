import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../workspace/lib/root.mjs'

/** Starts the local platform with its sample project. @param {string} cwd */
export async function startPlatform(cwd) {
  const script = join(root, 'packages/cli/bin/servicekit.js')
  const args = [script, 'dev', '--sample', '--memory', '--port', '0', '--json']
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise((done) => child.once('close', done))
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text)))
    child.once('close', () => reject(new Error('Cannot start the local platform')))
  })
  return {
    /** @type {{ baseUrl: string, projectKey: string }} */
    service: JSON.parse(line),
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createRunner } from './run.mjs'

it('keeps the output without colours, and the exit code', async () => {
  const script =
    'console.log("\\u001b[31mout\\u001b[0m"); console.error("err"); process.exitCode = 3'
  const result = await createRunner().node(['-e', script])
  expect(result.code).toBe(3)
  expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out'])
})

it('says what could not be started', async () => {
  const result = await createRunner().run('no-such-command', [])
  expect(result.code).not.toBe(0)
  expect(result.output).toContain('no-such-command')
})

it('sets and removes environment variables', async () => {
  const runner = createRunner({ SERVICEKIT_A: 'a' })
  const script = 'console.log(process.env.SERVICEKIT_A, process.env.PATH)'
  const { output } = await runner.node(['-e', script], { env: { PATH: undefined } })
  expect(output).toBe('a undefined\n')
})

// Windows ends the process alone.
it.skipIf(process.platform === 'win32')('stops a process with its children', async () => {
  // The grandchild holds a connection, which closes when it ends.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const runner = createRunner()
  const grandchild = `require('node:net').connect(${address.port}, '127.0.0.1')`
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}])`
  const running = runner.node(['-e', child])
  const [socket] = await once(server, 'connection')
  socket.on('error', () => {})
  runner.stop()
  await once(socket, 'close')
  expect((await running).code).not.toBe(0)
  server.close()
})

import { bindClient } from '@servicekit/client'
import { all, type Check, fails, has } from './checks.ts'
import type { World } from './world.ts'

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251)

async function* pieces() {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
}

export function fileChecks(world: World): readonly Check[] {
  const storageOf = async () =>
    bindClient(world.noted(await world.means.machine(world.options(), world))).storage
  const isSame = (given: ArrayBuffer): boolean => {
    const found = new Uint8Array(given)
    return found.length === bytes.length && bytes.every((one, index) => found[index] === one)
  }
  return [
    [
      'a file goes up with progress, is listed, and comes down, from the middle too',
      async () => {
        const storage = await storageOf()
        has((await storage.listConfigurations())[0], { strategy: 'local' })
        let sent = 0
        const file = new Blob([bytes], { type: 'application/x-bytes' })
        const { fileId } = await storage.upload(file, {
          name: 'a.bin',
          onProgress: ({ sentBytes }) => void (sent = sentBytes),
        })
        has(sent, bytes.length)
        has(
          (await all(storage.listFiles())).some(({ itemId }) => itemId === fileId),
          true,
        )
        const { body, sizeBytes } = await storage.download({ fileId })
        has(sizeBytes, bytes.length)
        has(isSame(await new Response(body).arrayBuffer()), true)
        const rest = await storage.download({ fileId }, { start: 299_000 })
        has((await new Response(rest.body).arrayBuffer()).byteLength, 1000)
      },
    ],
    [
      'bytes and streams go up as well',
      async () => {
        const storage = await storageOf()
        for (const source of [bytes, pieces(), new Blob([bytes]).stream()]) {
          const { fileId } = await storage.upload(source, { name: 'b.bin', size: bytes.length })
          const { body } = await storage.download({ fileId })
          has(isSame(await new Response(body).arrayBuffer()), true)
        }
      },
    ],
    [
      'a file that is not there is not found',
      async () => {
        const storage = await storageOf()
        await fails(storage.download({ fileId: 'nothing' }), { status: 404 })
      },
    ],
  ]
}

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compileMessages, files } from '../mail/compile.mjs'

it('contains the current translations of mails, in every language', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-messages-'))
  try {
    compileMessages(folder)
    const committed = join(import.meta.dirname, '../src/mail/messages')
    for (const file of files) {
      const compiled = await readFile(join(folder, file), 'utf8')
      expect(
        await readFile(join(committed, file), 'utf8'),
        `run mail/compile.mjs for ${file}`,
      ).toBe(compiled)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

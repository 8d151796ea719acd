import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeReference } from './docs.mjs'

const isDeep = process.env['SERVICEKIT_DEEP'] === '1'

it.skipIf(!isDeep)(
  'has a page for each import, and for each operation its section',
  async () => {
    const out = mkdtempSync(join(tmpdir(), 'servicekit-reference-'))
    onTestFinished(() => rmSync(out, { recursive: true }))
    expect(await writeReference(out)).toBe(true)
    const page = (/** @type {string} */ path) => readFileSync(join(out, path), 'utf8')
    expect(page('modules/_servicekit_client_storage.html')).toContain('@servicekit/client/storage')
    expect(page('modules/_servicekit_client_core.html')).toContain('createCore')
    expect(page('functions/_servicekit_client_storage.upload.html')).toContain('section 4.4')
  },
  300_000,
)

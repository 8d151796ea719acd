import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireReachable } from './postgres.mjs'

it('names the folder that the user of PostgreSQL cannot reach', () => {
  // Like `mktemp -d`, this creates a folder for its owner only.
  const closed = mkdtempSync(join(tmpdir(), 'servicekit-closed-'))
  const inner = join(closed, 'inner')
  mkdirSync(inner)
  chmodSync(inner, 0o755)
  try {
    const message = `Cannot start PostgreSQL: its user cannot reach ${closed}. Run chmod a+x ${closed}`
    expect(() => requireReachable(inner)).toThrow(message)
    chmodSync(closed, 0o755)
    expect(() => requireReachable(inner)).not.toThrow()
  } finally {
    rmSync(closed, { recursive: true })
  }
})

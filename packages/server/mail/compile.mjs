/**
 * Compiles the translations of mails to `src/mail/messages`, with Servicekit itself. Run it after
 * a change of `mail/translations`; a test compares both.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const program = join(folder, '../../cli/bin/servicekit.js')

/** Files that the server uses; the others are adapters of frameworks. */
export const files = [
  'runtime.js',
  'runtime.d.ts',
  'mail.js',
  'mail.d.ts',
  ...['en', 'de', 'fr'].map((language) => `languages$/${language}/mail.js`),
]

/** Compiles the translations to a folder. @param {string} target */
export function compileMessages(target) {
  const root = mkdtempSync(join(tmpdir(), 'servicekit-messages-'))
  try {
    const localization = { languages: ['en', 'de', 'fr'] }
    writeFileSync(join(root, 'servicekit.config.json'), JSON.stringify({ localization }))
    const run = (/** @type {string[]} */ ...args) =>
      execFileSync(process.execPath, [program, ...args, '--root', root], { cwd: root })
    run('pull', '--no-frozen', '--from', join(folder, 'translations'))
    run('compile', '--sync', '--out', join(root, 'messages'))
    for (const file of files) cpSync(join(root, 'messages', file), join(target, file))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  compileMessages(join(folder, '../src/mail/messages'))
}

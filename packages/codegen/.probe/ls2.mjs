import ts from 'typescript'
import { readFileSync } from 'node:fs'
const cfg = ts.parseJsonConfigFileContent(ts.readConfigFile('tsconfig.json', ts.sys.readFile).config, ts.sys, '.')
const file = 'app2.ts'
let text = readFileSync(file, 'utf8')
if (process.argv[2]) text = text.replaceAll('./gw/', './' + process.argv[2] + '/')
const host = { getScriptFileNames: () => [file], getScriptVersion: () => '1', getScriptSnapshot: f => f === file ? ts.ScriptSnapshot.fromString(text) : ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined, getCurrentDirectory: () => process.cwd(), getCompilationSettings: () => cfg.options, getDefaultLibFileName: ts.getDefaultLibFilePath, fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists }
const s = ts.createLanguageService(host)
for (const m of text.matchAll(/\/\*D(\d+)\*\//g)) {
  const at = m.index + m[0].length
  const q = s.getQuickInfoAtPosition(file, at)
  const d = s.getDefinitionAtPosition(file, at) ?? []
  console.log('D' + m[1], ts.displayPartsToString(q?.displayParts), '| DOC', ts.displayPartsToString(q?.documentation), '| DEF', d.map(x => x.fileName.replace(process.cwd(), '') + ' ' + x.containerName + '.' + x.name + '@' + x.textSpan.start).join(';'))
}
for (const m of text.matchAll(/\/\*C(\d+)\*\//g)) {
  const inString = text[m.index - 1] === "'"
  const at = inString ? m.index : m.index + m[0].length
  const c = s.getCompletionsAtPosition(file, at, {})
  console.log('C' + m[1], c?.entries.length, c?.entries.slice(0, 30).map(e => e.name).join(' '))
}

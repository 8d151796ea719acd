import ts from 'typescript'
import { readFileSync } from 'node:fs'
const cfg = ts.parseJsonConfigFileContent(ts.readConfigFile('tsconfig.json', ts.sys.readFile).config, ts.sys, '.')
const file = process.argv[2] ?? 'app.ts'
const text = readFileSync(file, 'utf8')
const host = { getScriptFileNames: () => [file], getScriptVersion: () => '1', getScriptSnapshot: f => ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined, getCurrentDirectory: () => process.cwd(), getCompilationSettings: () => cfg.options, getDefaultLibFileName: ts.getDefaultLibFilePath, fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory, directoryExists: ts.sys.directoryExists }
const s = ts.createLanguageService(host)
console.log('=== diagnostics')
for (const d of [...s.getSyntacticDiagnostics(file), ...s.getSemanticDiagnostics(file)]) {
  const { line, character } = ts.getLineAndCharacterOfPosition(s.getProgram().getSourceFile(file), d.start)
  console.log(`${line + 1}:${character + 1}`, text.split('\n')[line].trim().slice(0, 120)); console.log('     ', ts.flattenDiagnosticMessageText(d.messageText, '\n      '))
  for (const r of d.relatedInformation ?? []) console.log('        rel:', r.file?.fileName.replace(process.cwd(), ''), ts.flattenDiagnosticMessageText(r.messageText, ' '))
}
if (process.argv[3] === 'hover') {
console.log('=== hover')
const seen = new Set()
for (const m of text.matchAll(/\b[a-zA-Z_]\w*\b/g)) {
  const q = s.getQuickInfoAtPosition(file, m.index)
  if (!q) continue
  const t = ts.displayPartsToString(q.displayParts)
  if (seen.has(t)) continue; seen.add(t)
  console.log('-----', m[0]); console.log(t); console.log('   DOC:', ts.displayPartsToString(q.documentation), (q.tags ?? []).map(t => '@' + t.name + ' ' + ts.displayPartsToString(t.text)).join(' '))
}}

import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const file = fileURLToPath(new URL('../src/client.ts', import.meta.url))

it('editors show the doc comment of every function of a client', { timeout: 120_000 }, () => {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ['source'],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)!
  const client = source.statements.find(
    (one): one is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(one) && one.name.text === 'Client',
  )!
  const documented: string[] = []
  const silent: string[] = []
  for (const group of checker.getTypeAtLocation(client).getProperties()) {
    for (const one of [group, ...checker.getTypeOfSymbol(group).getProperties()]) {
      const isSaid = one.getDocumentationComment(checker).length > 0
      ;(isSaid ? documented : silent).push(`${group.name}.${one.name}`)
    }
  }
  expect(silent).toEqual([])
  expect(documented).toEqual(
    expect.arrayContaining(['auth.createSession', 'iam.getMe', 'data.execute', 'storage.upload']),
  )
})

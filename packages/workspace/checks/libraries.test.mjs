import { expect, it } from 'vitest'
import { libraryProblems } from './libraries.mjs'

const contributing = `# Working
| \`not-a-library\` | a command |
## Libraries: why each one is here
| library | reason |
|---|---|
| \`zod\` | schemas, see \`this\` |
| \`react\`, \`react-dom\` | the sample |
## Then
| \`nor-this\` | |
`

it('is content when every library is explained', () => {
  const manifests = [
    { name: 'a', dependencies: { zod: '4', b: 'workspace:*' } },
    { name: 'b', devDependencies: { react: '19' }, peerDependencies: { 'react-dom': '19' } },
  ]
  expect(libraryProblems(contributing, manifests)).toEqual([])
})

it('finds a library that is not explained, and one that is gone', () => {
  const manifests = [{ name: 'a', dependencies: { zod: '4', react: '19', hono: '4' } }]
  expect(libraryProblems(contributing, manifests)).toEqual([
    'CONTRIBUTING.md does not say why hono is here',
    'CONTRIBUTING.md explains react-dom, which no package.json names',
  ])
})

import { expect, it } from 'vitest'
import { explainedLibraries, namedLibraries } from './libraries.mjs'

it('reads the names in the first cell of each row', () => {
  const page = `# Libraries

\`nor-this\` | x |

| library | reason |
|---|---|
| \`zod\` | schemas, see \`this\` |
| \`react\`, \`react-dom\` | the sample |
`
  expect([...explainedLibraries(page)]).toEqual(['zod', 'react', 'react-dom'])
})

it('reads every field of every manifest, and leaves out packages of the repository', () => {
  const manifests = [
    { name: 'a', dependencies: { zod: '4', b: 'workspace:*' }, optionalDependencies: { bun: '1' } },
    { name: 'b', devDependencies: { react: '19' }, peerDependencies: { 'react-dom': '19' } },
  ]
  expect([...namedLibraries(manifests)]).toEqual(['zod', 'bun', 'react', 'react-dom'])
})

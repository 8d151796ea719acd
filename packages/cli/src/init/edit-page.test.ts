import { describe, expect, it } from 'vitest'
import { addComponent } from './edit-page.ts'

const jsx = { name: 'Example', from: './Example', isDefault: false }
const file = (extension: string) => ({
  name: 'Example',
  from: `./Example.${extension}`,
  isDefault: true,
})
const after = (path: string, text: string, use: typeof jsx): unknown => {
  const edit = addComponent(path, text, use)
  return edit && 'after' in edit ? edit.after : edit
}

describe('addComponent', () => {
  it('inserts into the fragment of a function that is exported by name', () => {
    const text =
      "import './App.css'\n\nfunction App() {\n  return (\n    <>\n      <h1>Title</h1>\n    </>\n  )\n}\n\nexport default App\n"
    expect(after('src/App.tsx', text, jsx)).toBe(
      "import './App.css'\nimport { Example } from './Example'\n\nfunction App() {\n  return (\n    <>\n      <Example />\n      <h1>Title</h1>\n    </>\n  )\n}\n\nexport default App\n",
    )
  })

  it('inserts into the component of the file that is not exported by default', () => {
    const text =
      'export function App() {\n  return (\n    <main>\n      <h1>Title</h1>\n    </main>\n  )\n}\n'
    for (const path of ['src/App.tsx', 'src/app.jsx']) {
      expect(after(path, text, jsx)).toContain('    <main>\n      <Example />\n')
    }
    expect(after('src/other.tsx', text, jsx)).toMatchObject({
      reason: 'its structure is not known',
    })
  })

  it('wraps an element without children', () => {
    const text = 'export default function Home() {\n  return <Welcome />;\n}\n'
    expect(after('app/home.tsx', text, jsx)).toBe(
      "import { Example } from './Example'\n\nexport default function Home() {\n  return (\n    <>\n      <Example />\n      <Welcome />\n    </>\n  );\n}\n",
    )
  })

  it('inserts into an element in one line', () => {
    const text = 'export default function Home() {\n  return <h1>Home</h1>\n}\n'
    expect(after('app/home.tsx', text, jsx)).toContain(
      '  return (\n    <>\n      <Example />\n      <h1>Home</h1>\n    </>\n  )',
    )
  })

  it('inserts into Vue', () => {
    const text =
      '<script setup lang="ts">\nimport A from \'./A.vue\'\n</script>\n\n<template>\n  <A />\n</template>\n'
    expect(after('src/App.vue', text, file('vue'))).toBe(
      "<script setup lang=\"ts\">\nimport Example from './Example.vue'\nimport A from './A.vue'\n</script>\n\n<template>\n  <Example />\n  <A />\n</template>\n",
    )
    expect(after('app.vue', '<template>\n  <p />\n</template>\n', file('vue'))).toBe(
      '<script setup lang="ts">\nimport Example from \'./Example.vue\'\n</script>\n\n<template>\n  <Example />\n  <p />\n</template>\n',
    )
  })

  it('inserts into Svelte', () => {
    expect(after('+page.svelte', '<h1>Title</h1>\n', file('svelte'))).toBe(
      "<script>\n\timport Example from './Example.svelte';\n</script>\n\n<Example />\n<h1>Title</h1>\n",
    )
    expect(
      after('App.svelte', "<script>\n  import a from 'a'\n</script>\n\n<p></p>\n", file('svelte')),
    ).toBe(
      "<script>\n  import Example from './Example.svelte'\n  import a from 'a'\n</script>\n\n<Example />\n\n<p></p>\n",
    )
  })

  it('inserts into Astro', () => {
    expect(
      after('index.astro', '---\n---\n<html>\n<body>\n<p />\n</body></html>\n', file('astro')),
    ).toBe(
      "---\nimport Example from './Example.astro'\n---\n<html>\n<body>\n    <Example />\n<p />\n</body></html>\n",
    )
  })

  it('changes nothing the second time', () => {
    const text = String(after('App.tsx', 'export default () => <p>a</p>', jsx))
    expect(addComponent('App.tsx', text, jsx)).toBeUndefined()
  })

  it.each([
    ['App.tsx', 'export default function App() { if (a) return null; return b }', jsx],
    ['App.tsx', 'export const App = 1', jsx],
    ['App.vue', '<template lang="pug">\np\n</template>', file('vue')],
    ['index.astro', '<Layout />', file('astro')],
  ])('refuses %s: %s', (path, text, use) => {
    expect(addComponent(path, text, use)).toMatchObject({
      reason: 'its structure is not known',
      lines: [expect.stringContaining('import '), '<Example />'],
    })
  })
})

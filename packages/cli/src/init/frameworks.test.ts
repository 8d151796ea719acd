import { expect, it } from 'vitest'
import { detectFramework } from './frameworks.ts'
import type { ProjectFacts } from './project-facts.ts'

const nameFor = (...dependencies: readonly string[]): string | undefined =>
  detectFramework({
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
    files: ['src'],
  } as unknown as ProjectFacts)?.name

it.each([
  [['vite', 'solid-js'], 'Vite + Solid'],
  [['vite', 'solid-js', '@solidjs/start'], 'SolidStart'],
  [['vite', 'react', '@react-router/dev'], 'React Router'],
  [['vite', 'svelte', '@sveltejs/kit'], 'SvelteKit'],
  [['vite', 'vue'], 'Vite + Vue'],
  [['webpack', 'react'], 'webpack'],
  [['lodash'], undefined],
])('knows the framework of an application with %j', (dependencies, name) => {
  expect(nameFor(...dependencies)).toBe(name)
})

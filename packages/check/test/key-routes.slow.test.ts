import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { application } from '@servicekit/testing/application'
import { keyRoutes, routeFiles } from '@servicekit/testing/key-routes'
import { expect, it } from 'vitest'

const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js')

it('TypeScript reports an unknown key in every way in which an application can name it', async () => {
  const { root, project } = await application(
    { 'en-US/cart': { CHECKOUT: 'Checkout', ITEMS: 'Your items' } },
    {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'esnext',
          moduleResolution: 'bundler',
          target: 'esnext',
          strict: true,
          noEmit: true,
          types: [],
        },
        include: ['.servicekit/types', 'routes'],
      }),
    },
  )
  await project.writeTypes(await project.load())
  for (const [index, [route]] of keyRoutes.entries()) {
    const folder = join(root, 'routes', String(index))
    await mkdir(folder, { recursive: true })
    for (const [file, code] of Object.entries(routeFiles(route, 'CHEKOUT'))) {
      const typed = code
        .replace('(messages) =>', '(messages: typeof cart) =>')
        .replace('(h) =>', '(h: (name: unknown) => unknown) =>')
      await writeFile(
        join(folder, file.replace('src/', '').replace('.js', '.ts')),
        `export {}\n${typed}`,
      )
    }
  }
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', root]).catch(
    (error: { stdout: string }) => error,
  )
  const reported = keyRoutes.flatMap(([route], index) =>
    new RegExp(`routes/${index}/.*CHEKOUT`).test(stdout) ? [route] : [],
  )
  expect(reported, stdout).toEqual(keyRoutes.map(([route]) => route))
})

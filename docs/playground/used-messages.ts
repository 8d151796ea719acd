import { rollup } from '@rollup/browser'
import { type MessageModel, type Model, specifierOf } from '@servicekit/catalog/inspection'

/**
 * Returns the messages that are left in a page after tree shaking, in the order of their keys;
 * undefined if the bundler refuses the page, for example for a key that does not exist.
 *
 * @param code JavaScript of the page.
 */
export async function usedMessages(
  code: string,
  model: Model,
): Promise<readonly MessageModel[] | undefined> {
  const bundled = await bundle(code, model)
  if (bundled === undefined) return undefined
  return model.modules.flatMap(({ messages }) =>
    messages.filter((_, index) => bundled.includes(callOf(index))),
  )
}

async function bundle(code: string, model: Model): Promise<string | undefined> {
  try {
    const build = await rollup({
      input: 'page',
      // What is not a key module stays an import, and does not matter here.
      external: (id) => id !== 'page' && !id.startsWith('~uilm/'),
      onwarn: () => undefined,
      plugins: [
        {
          name: 'playground',
          resolveId: (id) => (id === 'page' || id.startsWith('~uilm/') ? id : null),
          load: (id) => (id === 'page' ? code : moduleCode(model, id)),
        },
      ],
    })
    const { output } = await build.generate({ format: 'es' })
    return output[0].code
  } catch (error) {
    const { code: reason } = error as { readonly code?: string }
    if (reason === 'MISSING_EXPORT' || reason === 'PARSE_ERROR') return undefined
    throw error
  }
}

function moduleCode(model: Model, specifier: string): string {
  const module = model.modules.find(({ name }) => specifierOf(name) === specifier)
  return (module?.messages ?? [])
    .map(({ name }, index) => `export const ${name} = /* @__PURE__ */ ${callOf(index)}`)
    .join('\n')
}

const callOf = (index: number): string => `createdMessage(${index}, 'app')`

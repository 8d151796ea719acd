/**
 * Code whose tests are tested by `npm run test:mutation`.
 *
 * @typedef {object} MutationTarget
 * @property {string} folder of the package
 * @property {readonly string[]} mutate files, relative to the folder
 * @property {readonly string[]} tests files, relative to the folder
 */

/** @type {Readonly<Record<string, MutationTarget>>} */
export const mutationTargets = {
  retry: {
    folder: 'packages/client',
    mutate: ['src/retry.ts'],
    tests: ['src/retry.test.ts'],
  },
  normalise: {
    folder: 'packages/catalog',
    mutate: ['src/normalise.ts'],
    tests: ['src/normalise.test.ts'],
  },
  identifiers: {
    folder: 'packages/catalog',
    mutate: ['src/names.ts'],
    tests: ['src/names.test.ts', 'test/unusual-names.test.ts'],
  },
  'signed-url': {
    folder: 'packages/core',
    mutate: ['src/node/signed-url.ts'],
    tests: ['src/node/signed-url.test.ts'],
  },
  renewal: {
    folder: 'packages/client',
    mutate: ['src/renewal.ts'],
    tests: ['test/renewal.test.ts', 'src/renewal.test.ts', 'src/tabs.test.ts'],
  },
  webhooks: {
    folder: 'packages/client',
    mutate: ['src/webhook-receiver.ts'],
    tests: ['src/webhook-receiver.test.ts', 'src/webhook-repeats.test.ts', 'test/webhooks.test.ts'],
  },
  compile: {
    folder: 'packages/catalog',
    mutate: ['src/{message,plural,tags}.ts', 'src/emit/{translation,literal,markup}.ts'],
    tests: [
      'src/message.test.ts',
      'src/plural.test.ts',
      'src/tags.test.ts',
      'src/model.test.ts',
      'src/icu.test.ts',
      'src/fallback.test.ts',
      'src/inspect.test.ts',
      'src/emit/translation.test.ts',
      'src/emit/literal.test.ts',
      'src/emit/markup.test.ts',
      'src/emit/markup-types.test.ts',
      'test/runtime.test.ts',
      'test/program.test.ts',
      'test/message-calls.test.ts',
    ],
  },
  authorize: {
    folder: 'packages/platform',
    mutate: ['src/http/authorize.ts'],
    tests: ['test/access-rules.test.ts', 'test/authority.test.ts', 'test/access-matrix.test.ts'],
  },
  authority: {
    folder: 'packages/platform',
    mutate: ['src/identity/authority.ts'],
    tests: ['test/access-rules.test.ts', 'test/authority.test.ts'],
  },
  'gateway-access': {
    folder: 'packages/platform',
    mutate: ['src/data/document-access.ts'],
    tests: ['src/data/document-access.test.ts'],
  },
}

/**
 * Packages of this repository that the sources of a package may import, in the order of layers.
 * Imports run one way; `.` stands for the files of the package itself.
 */
const mayImport = {
  'packages/core/src': [],
  'packages/contract/src': ['core'],
  'packages/client/src': ['core', 'contract'],
  'packages/catalog/src': ['core', 'contract', 'client'],
  'packages/check/src': ['core', 'contract', 'client', 'catalog'],
  'packages/formats/src': ['core', 'contract', 'client', 'catalog'],
  'packages/unplugin/src': ['core', 'contract', 'client', 'catalog'],
  'packages/codegen/src': ['core', 'contract', 'client'],
  'packages/console/src/server': ['core'],
  'packages/console/src/app': ['core', 'contract', 'client', 'catalog', 'formats'],
  'packages/platform/src': ['core', 'contract', 'catalog', 'console'],
  'packages/server/src': ['core', 'contract', 'platform'],
  'packages/cli/src': [
    'core',
    'contract',
    'client',
    'catalog',
    'check',
    'formats',
    'codegen',
    'unplugin',
    'platform',
    'server',
  ],
}

/** Folders that a folder may not import, although they belong to its package. */
const mayNotImport = {
  'packages/console/src/server': ['**/app/**'],
  'packages/console/src/app': ['**/server/**'],
}

/**
 * Folders of the platform from the bottom up. A folder imports only what is below it; folders on
 * one line do not import each other. Files beside the folders compose them and hold shared types.
 */
const platformLayers = [
  ['database', 'outgoing'],
  ['queue'],
  ['http'],
  ['identity', 'webhooks'],
  ['data', 'localization', 'storage', 'tools'],
  ['knowledge', 'suggestions'],
  ['projects'],
  ['control'],
  ['app'],
]

/** Folders of the catalog, likewise. */
const catalogLayers = [
  ['files', 'syntax'],
  ['model'],
  ['config', 'emit'],
  ['sources'],
  ['snapshot'],
  ['project'],
  ['keys', 'live'],
]

/** Folders of check, likewise; its README says what each is for. */
const checkLayers = [
  ['edit', 'glossary', 'usage'],
  ['check', 'lint', 'migrate', 'rename', 'translate'],
  ['push'],
]

/** `statIfExists` says why. */
const stats = {
  name: 'node:fs',
  importNames: ['statSync', 'lstatSync', 'fstatSync'],
  message: 'Use statIfExists of @servicekit/core/node.',
}

/** Returns the restriction of the imports of some files. */
const restrict = (files, patterns) => ({
  files,
  excludeFiles: ['**/*.test.ts', '**/*.test.tsx', '**/*.test-d.ts'],
  rules: { 'no-restricted-imports': ['error', { patterns, paths: [stats] }] },
})

/** Returns the imports of other packages that a package may not have. */
const packagePatterns = ([folder, names]) => [
  {
    group: ['@servicekit/*', 'servicekit', ...names.map((name) => `!@servicekit/${name}`)],
    message: `${folder} may import ${names.join(', ') || 'no package of the repository'}.`,
  },
  {
    group: [...(mayNotImport[folder] ?? ['**/src/**']), '**/dist/**'],
    message: 'Import another package by its name, and no file of the other side.',
  },
]

/** Returns the restrictions of the folders of a package: each imports only what is below it. */
const restrictLayers = (root, layers) =>
  layers.flatMap((layer, index) =>
    layer.map((folder) => {
      const above = layers
        .slice(index)
        .flat()
        .filter((name) => name !== folder)
      return restrict(
        [`${root}/${folder}/**`],
        [
          ...packagePatterns([root, mayImport[root]]),
          ...(above.length === 0
            ? []
            : [
                {
                  group: above.map((name) => `**/../${name}/**`),
                  message: `${folder} may only import folders below it.`,
                },
              ]),
        ],
      )
    }),
  )

const codegen = 'packages/codegen/src'

const boundaries = [
  ...Object.entries(mayImport).map((entry) => restrict([`${entry[0]}/**`], packagePatterns(entry))),
  restrict(
    ['model', 'model-field', 'names', 'normalise', 'reserved', 'scalars'].map(
      (name) => `${codegen}/${name}.ts`,
    ),
    [
      ...packagePatterns([codegen, mayImport[codegen]]),
      { group: ['./emit/**'], message: 'The model does not depend on what is emitted from it.' },
    ],
  ),
  restrict(
    ['packages/testing/src/**'],
    [{ group: ['../../*/src/index.ts'], message: 'Import another package by its name.' }],
  ),
  ...restrictLayers('packages/platform/src', platformLayers),
  ...restrictLayers('packages/catalog/src', catalogLayers),
  ...restrictLayers('packages/check/src', checkLayers),
]

export default {
  options: { reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'vitest', 'oxc'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
    perf: 'error',
  },
  rules: {
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'off',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'no-underscore-dangle': 'off',
    'no-control-regex': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'promise/no-callback-in-promise': 'off',
    'promise/always-return': [
      'error',
      {
        ignoreLastCallback: true,
      },
    ],
    'vitest/require-to-throw-message': 'error',
    'vitest/no-conditional-tests': 'off',
    'vitest/valid-expect': [
      'error',
      {
        maxArgs: 2,
      },
    ],
    'vitest/no-standalone-expect': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'eslint/no-console': 'off',
    'no-unused-vars': [
      'error',
      {
        argsIgnorePattern: '^_',
        varsIgnorePattern: '^_',
        destructuredArrayIgnorePattern: '^_',
        ignoreRestSiblings: true,
      },
    ],
    'oxc/no-map-spread': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'vitest/expect-expect': [
      'error',
      {
        assertFunctionNames: ['expect', 'expectSuccess'],
      },
    ],
  },
  overrides: [
    ...boundaries,
    {
      files: [
        '**/*.config.ts',
        '**/*.config.js',
        '**/*.config.mjs',
        'docs/.vitepress/config.ts',
        'docs/playground/*.data.ts',
        'fixtures/apps/next/{app,pages}/**',
        'fixtures/apps/next-intl/**',
        'fixtures/apps/heavy/react-router/app/**',
        'fixtures/apps/heavy/solid-start/src/**',
        'fixtures/apps/heavy/storybook/**',
        'packages/workspace/vitest/*.mjs',
      ],
      rules: {
        'import/no-default-export': 'off',
      },
    },
    {
      // Values of frameworks whose types may not be installed, and modules with private types.
      files: ['packages/catalog/declarations/**'],
      rules: {
        'typescript/no-explicit-any': 'off',
        'unicorn/require-module-specifiers': 'off',
      },
    },
    {
      files: ['packages/client/src/**', 'packages/*/runtime/**'],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          {
            object: 'AbortSignal',
            property: 'any',
            message: 'Some supported browsers lack it, and Node 20 garbage-collects its sources.',
          },
        ],
      },
    },
    {
      files: [
        'packages/contract/src/**/*.ts',
        'packages/*/src/emit/**/*.ts',
        'packages/catalog/src/{syntax,model}/**/*.ts',
        'packages/codegen/src/{model,normalise,names}.ts',
      ],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'import/no-nodejs-modules': [
          'error',
          {
            // A hash is pure.
            allow: ['node:path', 'node:crypto'],
          },
        ],
        'no-restricted-globals': [
          'error',
          {
            name: 'fetch',
            message: 'This file is pure: effects are passed in.',
          },
          {
            name: 'Date',
            message: 'This file is pure: effects are passed in.',
          },
          {
            name: 'process',
            message: 'This file is pure: effects are passed in.',
          },
          {
            name: 'performance',
            message: 'This file is pure: effects are passed in.',
          },
          {
            name: 'setTimeout',
            message: 'This file is pure: effects are passed in.',
          },
        ],
      },
    },
  ],
  ignorePatterns: ['**/dist/**', '**/.servicekit/**', 'packages/codegen/__snapshots__/**'],
}

// Runs GraphQL Code Generator in one process, like a script of an application, and prints
// the output of each configuration. Copied into a project folder.
import { generate } from '@graphql-codegen/cli'
import { servicekitSchema } from '@servicekit/codegen/loader'
import { servicekitPreset } from '@servicekit/codegen/preset'
import { clientPreset, listings } from './listings.mjs'

const { storefront, one, two } = listings
const problems = []
const output = (presetConfig = {}) => ({
  preset: servicekitPreset,
  presetConfig: { onProblem: (problem) => problems.push(problem), ...presetConfig },
})
const service = (answer, init) => ({
  baseUrl: 'https://api.example.com',
  projectKey: 'P1',
  fetch: async () => Response.json(answer, init),
})
const refusal = { Errors: { Message: 'Project not found' }, IsSuccess: false }

const scenarios = {
  plain: {
    schema: servicekitSchema({ listing: storefront }),
    generates: { 'src/gateway/': output() },
  },
  merged: {
    schema: [servicekitSchema({ listing: storefront }), 'type Query { mine: Int }'],
    generates: { gateway: output() },
  },
  several: {
    generates: {
      'one/': { ...output(), schema: servicekitSchema({ listing: one }) },
      'two/': { ...output(), schema: servicekitSchema({ listing: two }) },
      'live/': { ...output(), schema: servicekitSchema(service(two)) },
    },
  },
  options: {
    schema: servicekitSchema({ listing: storefront }),
    generates: { 'g/': output({ queryNaming: 'get-prefix', importExtension: '.ts' }) },
  },
  features: {
    schema: servicekitSchema({ listing: storefront }),
    generates: { 'g/': output({ labels: true, diagram: true, validators: true, lookups: true }) },
  },
  beside: {
    schema: servicekitSchema({ listing: storefront, full: true }),
    documents: 'own.graphql',
    generates: { 'gateway/': output(), 'own/': { preset: clientPreset } },
  },
  mistaken: {
    schema: servicekitSchema({ listing: storefront, full: true }),
    documents: 'mistaken.graphql',
    generates: { 'own/': { preset: clientPreset } },
  },
  foreign: { schema: 'type Query { a: Int }', generates: { 'g/': output() } },
  misspelt: {
    schema: servicekitSchema({ listing: storefront }),
    generates: { 'g/': output({ queryNameing: 'as-given' }) },
  },
  refused: {
    schema: servicekitSchema(service(refusal, { status: 404 })),
    generates: { 'g/': output() },
  },
}

const outcomes = {}
for (const [name, config] of Object.entries(scenarios)) {
  problems.length = 0
  try {
    const files = await generate({ silent: true, errorsOnly: true, ...config }, false)
    outcomes[name] = { files: files.map(({ filename, content }) => [filename, content]) }
  } catch (error) {
    outcomes[name] = { error: error.message }
  }
  outcomes[name].problems = [...problems]
}
process.stdout.write(`\n${JSON.stringify(outcomes)}`)

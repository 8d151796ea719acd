import { print } from '@0no-co/graphql.web'
import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada'
import type { introspection } from './generated/graphql-env.js'

export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string; Long: number }
}>()

export async function execute<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const response = await fetch('http://127.0.0.1:4600/data/v4/gateway', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': 'side-by-side' },
    body: JSON.stringify({ query: print(document), variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data
}

import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { DescribedOperation, Json } from './generate-request.ts'

/** Returns why a response is not allowed for its operation by the document, if so. */
export type CheckResponse = (
  operation: DescribedOperation,
  response: Response,
  text: string,
) => string | undefined

/** Checks status, media type and body against an OpenAPI document with a third-party validator. */
export function responseChecker(document: Json): CheckResponse {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: false })
  ajvFormats.default(ajv)
  ajv.addSchema(document, 'document')
  return ({ path, method, responses }, response, text) => {
    const { status } = response
    const documented = responses[status] as { content?: Record<string, unknown> } | undefined
    if (status >= 500) return `${status}: ${text.slice(0, 300)}`
    if (!documented) return `${status} is not documented: ${text.slice(0, 300)}`
    const [type] = Object.keys(documented.content ?? {})
    if (type === undefined) return undefined
    const given = response.headers.get('content-type') ?? 'none'
    if (!given.startsWith(type)) return `${status} with the type ${given}, not ${type}`
    const at = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type]
    const pointer = [...at, 'schema'].map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1'))
    const validate = ajv.getSchema(`document#/${pointer.map(encodeURIComponent).join('/')}`)
    if (!validate) return `${status} has no schema`
    let body: unknown = text
    try {
      if (type.includes('json')) body = JSON.parse(text)
    } catch {
      return `${status} with a body that is not JSON: ${text.slice(0, 300)}`
    }
    return validate(body)
      ? undefined
      : `${status} in another shape (${ajv.errorsText(validate.errors)}): ${text.slice(0, 300)}`
  }
}

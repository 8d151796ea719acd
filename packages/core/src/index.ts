/**
 * Helpers without I/O that several packages share. Each package lists `@servicekit/core` as
 * a devDependency; its build copies what it uses, so nothing of it is published on its own.
 *
 * `@servicekit/core/node` has the helpers that need Node.
 */
export { fileClash, fileNameOf, languageCodeProblem, nameProblem } from './catalog-names.ts'
export { findClosest, listNames, unknownName } from './closest.ts'
export { controlEffects, controlTokenName } from './control.ts'
export { docsLink, docsUrl, explainCommand, explainLine } from './explain.ts'
export { escapeHtml } from './escape-html.ts'
export { escapePattern } from './escape-pattern.ts'
export { BaseError, type Details, formatErrorMessage, reasonOf } from './errors.ts'
export type { GatewayError, GatewayFailure, GatewayResult, GatewaySuccess } from './gateway.ts'
export { isGraphqlName } from './graphql-name.ts'
export { toInstant } from './instant.ts'
export { formatChoice, formatRange, invalidValue } from './invalid-value.ts'
export { isObject, parseJson } from './json.ts'
export {
  isJsonObject,
  type JsonNode,
  type JsonObject,
  type JsonProperty,
  parseJsonTree,
  PlacedSyntaxError,
  type Position,
  positionAt,
} from './json-tree.ts'
export { isRightToLeft, likelyOf } from './language.ts'
export { createLines } from './lines.ts'
export { normaliseHost, withoutFinalDot } from './host.ts'
export { isLoopbackHost, isLoopbackUrl } from './loopback.ts'
export { memoize, once, onceResolved } from './memoize.ts'
export {
  isNamedMany,
  type ListedMutation,
  type MutationKind,
  mutationKinds,
  mutationNames,
} from './mutations.ts'
export { byCodePoint } from './order.ts'
export { readPages } from './pages.ts'
export { parseUrl } from './parse-url.ts'
export { formNames, pluralForms } from './plural-forms.ts'
export { redactText } from './redact.ts'
export { schemaReferences } from './schema-references.ts'
export { serviceMessage } from './service-message.ts'
export { sharedProjectKey } from './shared-project.ts'
export { rejectOnAbort, sleep } from './sleep.ts'
export { isSameOrigin } from './same-origin.ts'
export { stringProblem } from './storable.ts'
export { tabHeader } from './tab-header.ts'
export { formatCount, isVisibleAscii, toSingleLine, upperFirst } from './text.ts'
export { headerSecretProblem, secretProblem } from './secret-problem.ts'
export { detectUtf16 } from './utf16.ts'
export { escapeInvisible, escapeOutput, unicodeEscape } from './visible.ts'
export { withoutUndefined } from './without-undefined.ts'
export { parseYamlDocument, parseYamlTree, type Yaml } from './yaml-tree.ts'

// Shows /openapi.json in Swagger UI, with the key of the first project.
const { matches } = matchMedia('(prefers-color-scheme: dark)')
document.documentElement.classList.toggle('dark-mode', matches)

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  plugins: [() => ({ fn: { opsFilter: filterOperations } })],
  onComplete: authorize,
})

/** Keeps the operations whose method, path, id or summary contains every word. */
function filterOperations(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  const matches = (entry) => {
    const { operationId, summary } = entry.get('operation').toJS()
    const text = [entry.get('method'), entry.get('path'), operationId, summary].join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  }
  return tags
    .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
    .filter((tag) => tag.get('operations').size > 0)
}

async function authorize() {
  // Control routes are closed to other machines and where a control token is set.
  const response = await fetch('/_platform/projects').catch(() => undefined)
  const projects = response?.ok ? await response.json() : []
  const first = projects.find(({ key }) => key !== 'servicekit-shared')
  const hasKey = ui.authSelectors.authorized().has('project')
  if (first && !hasKey) ui.preauthorizeApiKey('project', first.key)
}

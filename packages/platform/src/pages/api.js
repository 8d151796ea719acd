// Lists the operations of /openapi.json and sends requests. Strings become text nodes, never
// markup.
function createElement(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

const find = (selector) => document.querySelector(selector)
const keyInput = find('#key')
const filterInput = find('#find')
let fieldCount = 0

const spec = await (await fetch('/openapi.json')).json()
find('h1').textContent = spec.info.title
await prepareKeyInput()
const entries = listOperations()
filterInput.addEventListener('input', filterOperations)
filterOperations()
addEventListener('hashchange', openOperationOfUrl)
openOperationOfUrl()

async function prepareKeyInput() {
  keyInput.value = localStorage.getItem('x-service-key') ?? ''
  keyInput.addEventListener('input', () => localStorage.setItem('x-service-key', keyInput.value))
  // Control routes are closed to other machines and where a control token is set.
  const response = await fetch('/_platform/projects').catch(() => undefined)
  const all = response?.ok ? await response.json() : []
  const projects = all.filter(({ key }) => key !== 'servicekit-shared')
  const options = projects.map(({ key, name }) =>
    createElement('option', { value: key, label: name }),
  )
  find('#keys').append(...options)
  keyInput.value ||= projects[0]?.key ?? ''
}

/** Adds every operation to the page, grouped by tag. Details are added when one is opened. */
function listOperations() {
  const operations = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = new Map()
  const listed = operations.map(({ path, method, operation }) => {
    const { operationId, summary = '', tags: [tag] = [''] } = operation
    const details = createElement(
      'details',
      { id: operationId },
      createElement(
        'summary',
        {},
        createElement('b', { textContent: method.toUpperCase() }),
        createElement('code', { textContent: path }),
        createElement('small', { textContent: summary }),
      ),
    )
    details.addEventListener('toggle', () => addDetails(details, path, method, operation), {
      once: true,
    })
    if (!sections.has(tag)) {
      sections.set(tag, createElement('section', {}, createElement('h2', { textContent: tag })))
    }
    sections.get(tag).append(details)
    return { details, text: [method, path, operationId, summary].join(' ').toLowerCase() }
  })
  find('main').replaceChildren(...sections.values())
  return listed
}

function addDetails(details, path, method, operation) {
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    createElement(
      'li',
      {},
      createElement('b', { textContent: status }),
      ' ',
      ...formatText(resolve(response).description),
    ),
  )
  details.append(
    createElement('p', {}, ...formatText(operation.description)),
    createElement('ul', {}, ...responses),
    createForm(path, method.toUpperCase(), operation),
  )
}

function createForm(path, method, { parameters = [], requestBody }) {
  const fields = parameters
    .filter(({ in: place }) => place !== 'header')
    .map((parameter) => {
      const required = parameter.required === true && parameter.in === 'path'
      const input = createElement('input', { required, autocomplete: 'off' })
      if (/^project_?key$/i.test(parameter.name)) input.value = keyInput.value
      return { parameter, input }
    })
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = content && createElement('textarea', { rows: 8, value: sampleBody(media, content) })
  const output = createElement('pre', { tabIndex: 0, hidden: true })
  output.setAttribute('role', 'status')
  output.setAttribute('aria-label', 'Response')

  const send = async () => {
    const filled = (place) =>
      fields.filter(({ parameter, input }) => parameter.in === place && input.value !== '')
    const url = filled('path').reduce(
      (text, { parameter, input }) =>
        text.replace(`{${parameter.name}}`, encodeURIComponent(input.value)),
      path,
    )
    const query = new URLSearchParams(
      filled('query').map(({ parameter, input }) => [parameter.name, input.value]),
    )
    const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
      method,
      headers: {
        accept: 'application/json',
        ...(keyInput.value && { 'x-service-key': keyInput.value }),
        ...(body && { 'content-type': media }),
      },
      credentials: 'include',
      body: body?.value,
    })
    const text = `${response.status} ${response.statusText}\n${indent(await response.text())}`
    return { text, isError: !response.ok }
  }
  const onsubmit = async (event) => {
    event.preventDefault()
    const { text, isError } = await send().catch((error) => ({ text: `${error}`, isError: true }))
    output.hidden = false
    output.textContent = text
    output.classList.toggle('error', isError)
  }
  return createElement(
    'form',
    { onsubmit },
    ...fields.map(({ parameter, input }) =>
      createField(parameter.name, input, parameter.in + (parameter.required ? ', required' : '')),
    ),
    ...(body ? [createField('Body', body, media)] : []),
    createElement('button', { textContent: 'Send' }),
    output,
  )
}

function createField(text, input, note) {
  input.id = `field-${++fieldCount}`
  const label = createElement('label', { htmlFor: input.id }, `${text} `)
  label.append(createElement('small', { textContent: note }))
  return createElement('div', {}, label, input)
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Formats text between backquotes as code. */
function formatText(text = '') {
  return text
    .split('`')
    .map((part, index) => (index % 2 ? createElement('code', { textContent: part }) : part))
}

/** Follows a reference within the document. */
function resolve({ $ref, ...value }) {
  if (!$ref) return value
  return $ref
    .slice(2)
    .split('/')
    .reduce((parent, name) => parent?.[name], spec)
}

function sampleBody(media, { schema }) {
  const value = sampleOf(schema)
  if (media === 'application/x-www-form-urlencoded') return `${new URLSearchParams(value)}`
  return JSON.stringify(value, null, 2)
}

/** Creates a value for a JSON schema: required members, and all members at the top. */
function sampleOf(reference, depth = 0) {
  const schema = resolve(reference ?? {}) ?? {}
  if (depth > 4) return null
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choice) return sampleOf(choice, depth + 1)
  const type = [schema.type].flat()[0]
  if (type === 'object' || schema.properties) {
    const { properties = {}, required = [] } = schema
    const names = Object.keys(properties).filter((name) => depth === 0 || required.includes(name))
    return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], depth + 1)]))
  }
  if (type === 'array') return []
  return { string: '', number: 0, integer: 0, boolean: false }[type] ?? null
}

function filterOperations() {
  const words = filterInput.value.toLowerCase().split(/\s+/)
  for (const { details, text } of entries) {
    details.hidden = !words.every((word) => text.includes(word))
  }
  for (const section of document.querySelectorAll('section')) {
    section.hidden = !section.querySelector('details:not([hidden])')
  }
  const count = entries.filter(({ details }) => !details.hidden).length
  find('#found').textContent = `${count} of ${entries.length} operations`
}

/** Opens the operation that the fragment of the URL names. */
function openOperationOfUrl() {
  const details = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!details?.matches('details')) return
  details.open = true
  details.scrollIntoView()
}

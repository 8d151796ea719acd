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
  for (const { key, name } of projects) {
    find('#keys').append(createElement('option', { value: key, label: name }))
  }
  keyInput.value ||= projects[0]?.key ?? ''
}

/** Adds every operation to the page, grouped by tag. Details are added when one is opened. */
function listOperations() {
  const sections = {}
  const listed = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary = '', tags: [tag] = [''] } = operation
      const title = createElement('summary')
      title.append(
        createElement('b', {}, method.toUpperCase()),
        createElement('code', {}, path),
        createElement('small', {}, summary),
      )
      const details = createElement('details', { id: operationId }, title)
      const open = () => addDetails(details, path, method.toUpperCase(), operation)
      details.addEventListener('toggle', open, { once: true })
      sections[tag] ??= createElement('section', {}, createElement('h2', {}, tag))
      sections[tag].append(details)
      return { details, text: [method, path, operationId, summary].join(' ').toLowerCase() }
    }),
  )
  find('main').replaceChildren(...Object.values(sections))
  return listed
}

function addDetails(details, path, method, operation) {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const description = formatText(resolve(response).description)
    return createElement('li', {}, createElement('b', {}, status), ' ', ...description)
  })
  details.append(
    createElement('p', {}, ...formatText(operation.description)),
    createElement('ul', {}, ...responses),
    createForm(path, method, operation),
  )
}

function createForm(path, method, { parameters = [], requestBody }) {
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const output = createElement('pre', { tabIndex: 0, hidden: true, role: 'status' })
  output.ariaLabel = 'Response'
  const form = createElement('form')
  for (const { name, in: place, required } of parameters) {
    if (place === 'header') continue
    const input = createElement('input', { autocomplete: 'off', name: `${place} ${name}` })
    input.required = place === 'path'
    if (/^project_?key$/i.test(name)) input.value = keyInput.value
    form.append(createField(name, input, place + (required ? ', required' : '')))
  }
  if (content) {
    const body = createElement('textarea', { name: 'body', rows: 8 })
    body.value = sampleBody(media, content)
    form.append(createField('Body', body, media))
  }
  form.append(createElement('button', {}, 'Send'), output)

  const send = async () => {
    const query = new URLSearchParams()
    let url = path
    let body
    for (const [field, value] of new FormData(form)) {
      const [place, name] = field.split(' ')
      if (place === 'body') body = value
      else if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
      else if (value !== '') query.append(name, value)
    }
    const headers = { accept: 'application/json' }
    if (keyInput.value) headers['x-service-key'] = keyInput.value
    if (content) headers['content-type'] = media
    const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
      method,
      headers,
      body,
    })
    const isJson = /json/.test(response.headers.get('content-type'))
    const shown = isJson ? JSON.stringify(await response.json(), null, 2) : await response.text()
    const text = `${response.status} ${response.statusText}\n${shown}`
    return { text, isError: !response.ok }
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { text, isError } = await send().catch((error) => ({ text: `${error}`, isError: true }))
    output.hidden = false
    output.textContent = text
    output.classList.toggle('error', isError)
  })
  return form
}

function createField(text, input, note) {
  input.id = `field-${++fieldCount}`
  const label = createElement('label', { htmlFor: input.id }, `${text} `)
  label.append(createElement('small', {}, note))
  return createElement('div', {}, label, input)
}

/** Formats text between backquotes as code. */
const formatText = (text = '') =>
  text.split('`').map((part, index) => (index % 2 ? createElement('code', {}, part) : part))

/** Follows a reference within the document. */
function resolve({ $ref, ...value }) {
  if (!$ref) return value
  const steps = $ref.slice(2).split('/')
  return steps.reduce((parent, name) => parent?.[name], spec)
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
  const value = schema.default ?? schema.const ?? schema.enum?.[0]
  if (value !== undefined) return value
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choice) return sampleOf(choice, depth + 1)
  const type = [schema.type].flat()[0]
  if (type === 'object' || schema.properties) {
    const { properties = {}, required = [] } = schema
    const names = Object.keys(properties).filter((name) => depth === 0 || required.includes(name))
    return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name], depth + 1)]))
  }
  return { array: [], string: '', number: 0, integer: 0, boolean: false }[type] ?? null
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

import type { ExampleContent } from './example.ts'
import type { PageKind } from './frameworks.ts'
import { projectHeader } from '@servicekit/contract/routes'
import { keyHeaders } from '@servicekit/contract/service'
import type { Service } from './service.ts'

/** File of the example and the component that it defines. */
interface ExampleFile {
  /** Path below the folder of the page. */
  readonly name: string
  readonly text: string
}

interface ExampleContext {
  readonly service: Service
  /** Specifier of the folder of generated modules, from the example: `../gateway`. */
  readonly gateway: string
  readonly isTypeScript: boolean
  /** `true` where components run on a server unless they are marked. */
  readonly hasServerComponents: boolean
  /** `true` if modules are loaded with `require`. */
  readonly isCommonJs: boolean
  /** Extension of the file that runs the example, if that is not a component: `.js`. */
  readonly extension: string
}

/** Name of the component. */
export const exampleName = 'ServicekitExample'
/** Name of the file, where it is not that of the component. */
export const exampleFile = 'servicekit-example'

type Example = (content: ExampleContent, context: ExampleContext) => ExampleFile

/** Example by the kind of a page. */
export const exampleCode: Readonly<Record<PageKind, Example>> = {
  react: (content, context) => ({
    name: `${exampleName}${context.isTypeScript ? '.tsx' : '.jsx'}`,
    text: lines(
      context.hasServerComponents && "'use client'\n",
      content.list && "import { useEffect, useState } from 'react'",
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      '/** A message and a list of the project. */',
      `export function ${exampleName}() {`,
      content.list && `  const [rows, setRows] = useState${rowsType(context)}([])`,
      content.list && '  useEffect(() => {',
      ...load(content, 'setRows(names)', '    '),
      content.list && '  }, [])',
      '  return (',
      '    <section id="servicekit-example">',
      `      <h2>{${content.message.name}()}</h2>`,
      content.list && '      <ul>\n        {rows.map((row) => (',
      content.list && '          <li key={row}>{row}</li>\n        ))}\n      </ul>',
      '    </section>',
      '  )',
      '}',
    ),
  }),
  solid: (content, context) => ({
    name: `${exampleName}${context.isTypeScript ? '.tsx' : '.jsx'}`,
    text: lines(
      content.list && "import { createSignal, For, onMount } from 'solid-js'",
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      '/** A message and a list of the project. */',
      `export function ${exampleName}() {`,
      content.list && `  const [rows, setRows] = createSignal${rowsType(context)}([])`,
      content.list && '  onMount(() => {',
      ...load(content, 'setRows(names)', '    '),
      content.list && '  })',
      '  return (',
      '    <section id="servicekit-example">',
      `      <h2>{${content.message.name}()}</h2>`,
      content.list &&
        '      <ul>\n        <For each={rows()}>{(row) => <li>{row}</li>}</For>\n      </ul>',
      '    </section>',
      '  )',
      '}',
    ),
  }),
  vue: (content, context) => ({
    name: `${exampleName}.vue`,
    text: lines(
      context.isTypeScript ? '<script setup lang="ts">' : '<script setup>',
      content.list && "import { onMounted, ref } from 'vue'",
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      content.list && `const rows = ref${rowsType(context)}([])`,
      content.list && 'onMounted(() => {',
      ...load(content, 'rows.value = names', '  '),
      content.list && '})',
      '</script>\n',
      '<template>',
      '  <section id="servicekit-example">',
      `    <h2>{{ ${content.message.name}() }}</h2>`,
      content.list &&
        '    <ul>\n      <li v-for="row in rows" :key="row">{{ row }}</li>\n    </ul>',
      '  </section>',
      '</template>',
    ),
  }),
  svelte: (content, context) => ({
    name: `${exampleName}.svelte`,
    text: lines(
      context.isTypeScript ? '<script lang="ts">' : '<script>',
      content.list && "  import { onMount } from 'svelte'",
      ...imports(content, context).map((line) => `  ${line}`),
      '',
      ...gatewayOf(content, context).map((line) => line && `  ${line}`),
      content.list && `  let rows${context.isTypeScript ? ': readonly string[]' : ''} = $state([])`,
      content.list && '  onMount(() => {',
      ...load(content, 'rows = names', '    '),
      content.list && '  })',
      '</script>\n',
      '<section id="servicekit-example">',
      `  <h2>{${content.message.name}()}</h2>`,
      content.list &&
        '  <ul>\n    {#each rows as row (row)}\n      <li>{row}</li>\n    {/each}\n  </ul>',
      '</section>',
    ),
  }),
  astro: (content, context) => ({
    name: `${exampleName}.astro`,
    text: lines(
      '---',
      `import { ${content.message.name} } from '${content.message.specifier}'`,
      '---\n',
      '<section id="servicekit-example">',
      `  <h2>{${content.message.name}()}</h2>`,
      content.list && '  <ul></ul>',
      '</section>',
      content.list && '\n<script>',
      ...imports({ ...content, message: undefined }, context).map((line) => `  ${line}`),
      content.list && '',
      ...gatewayOf(content, context).map((line) => line && `  ${line}`),
      content.list && "  const list = document.querySelector('#servicekit-example ul')",
      ...load(
        content,
        [
          'list?.replaceChildren(',
          "      ...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })),",
          '    )',
        ].join('\n'),
        '  ',
      ),
      content.list && '</script>',
    ),
  }),
  angular: (content, context) => ({
    name: `${exampleFile}.ts`,
    text: lines(
      "import { Component, type OnInit, signal } from '@angular/core'",
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      '/** A message and a list of the project. */',
      '@Component({',
      "  selector: 'app-servicekit-example',",
      '  template: `',
      '    <section id="servicekit-example">',
      '      <h2>{{ heading() }}</h2>',
      '      <ul>',
      '        @for (row of rows(); track row) {',
      '          <li>{{ row }}</li>',
      '        }',
      '      </ul>',
      '    </section>',
      '  `,',
      '})',
      `export class ${exampleName} implements OnInit {`,
      `  protected readonly heading = ${content.message.name}`,
      '  protected readonly rows = signal<readonly string[]>([])',
      '',
      '  ngOnInit(): void {',
      ...load(content, 'this.rows.set(names)', '    '),
      '  }',
      '}',
    ),
  }),
  dom: (content, context) => ({
    name: exampleFile + context.extension,
    text: lines(
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      '/** Shows a message and a list of the project. */',
      "const section = document.createElement('section')",
      `section.id = '${exampleFile}'`,
      `section.append(element('h2', ${content.message.name}()))`,
      content.list && "const list = document.createElement('ul')",
      content.list && 'section.append(list)',
      'document.body.prepend(section)',
      ...load(content, "list.append(...names.map((name) => element('li', name)))", ''),
      '',
      context.isTypeScript
        ? 'function element(tag: string, text: string): HTMLElement {'
        : 'function element(tag, text) {',
      '  return Object.assign(document.createElement(tag), { textContent: text })',
      '}',
    ),
  }),
  program: (content, context) => ({
    name: exampleFile + context.extension,
    text: lines(
      ...imports(content, context),
      '',
      ...gatewayOf(content, context),
      '// A message and a list of the project.',
      `console.log(${content.message.name}())`,
      ...load(content, "console.log(names.join('\\n'))", ''),
    ),
  }),
}

const rowsType = ({ isTypeScript }: ExampleContext): string =>
  isTypeScript ? '<readonly string[]>' : ''

function imports(
  {
    message,
    list,
  }: { message: ExampleContent['message'] | undefined; list: ExampleContent['list'] },
  { gateway, isCommonJs }: ExampleContext,
): readonly string[] {
  const line = (name: string, from: string): string =>
    isCommonJs ? `const { ${name} } = require('${from}')` : `import { ${name} } from '${from}'`
  return [
    ...(message ? [line(message.name, message.specifier)] : []),
    ...(list
      ? [
          line('createGateway', `${gateway}/gateway.js`),
          line(list.identifier, `${gateway}/${list.file}.js`),
        ]
      : []),
  ]
}

const gatewayOf = ({ list }: ExampleContent, { service }: ExampleContext): readonly string[] =>
  list
    ? [
        'const gateway = createGateway({',
        `  baseUrl: '${service.baseUrl}',`,
        `  projectKey: '${service.projectKey}',`,
        ...keyHeaderLines(service),
        '})',
        '',
      ]
    : []

/** Returns the line for a header other than that of the interface. */
function keyHeaderLines(service: Service): readonly string[] {
  const { preset = 'interface', keyHeader = keyHeaders[preset] } = service
  return keyHeader === projectHeader ? [] : [`  keyHeader: '${keyHeader}',`]
}

function load({ list }: ExampleContent, assign: string, indent: string): readonly string[] {
  if (!list) return []
  const { identifier, field } = list
  return [
    `void ${identifier}(gateway, { select: ['${field}'] }).then((result) => {`,
    '  if (!result.ok) return console.error(result.errors[0]?.message)',
    `  const names = result.data.items.map((item) => item.${field} ?? '')`,
    `  ${assign}`,
    '})',
  ].map((line) => indent + line)
}

const lines = (...all: readonly (string | false | undefined)[]): string =>
  `${all.filter((line) => typeof line === 'string').join('\n')}\n`

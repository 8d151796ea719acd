import { expect, it } from 'vitest'
import { addToAngular } from './edit-angular.ts'

const use = { name: 'Example', from: './example', isDefault: false }
const component = `import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';

@Component({
  selector: 'app-root',
  imports: [RouterOutlet],
  templateUrl: './app.html',
})
export class App {}
`

it('imports the component and puts its element first in the template', () => {
  const edits = addToAngular(
    { path: 'src/app/app.ts', text: component },
    { path: 'src/app/app.html', text: '<router-outlet />\n' },
    use,
  )
  expect(edits).toMatchObject([
    {
      path: 'src/app/app.ts',
      after: component
        .replace("router';\n", "router';\nimport { Example } from './example';\n")
        .replace('[RouterOutlet]', '[RouterOutlet, Example]'),
    },
    { path: 'src/app/app.html', after: '<app-servicekit-example />\n<router-outlet />\n' },
  ])
})

it.each([
  ['a component without imports', component.replace('  imports: [RouterOutlet],\n', ''), ''],
  ['an inline template', component, undefined],
  ['another class', 'export class App {}', ''],
])('refuses %s', (_, text, template) => {
  const edits = addToAngular({ path: 'app.ts', text }, { path: 'app.html', text: template }, use)
  expect(edits).toMatchObject([
    { path: 'app.ts', reason: 'its structure is not known', lines: { length: 3 } },
  ])
})

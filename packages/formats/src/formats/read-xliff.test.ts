import { describe, expect, it } from 'vitest'
import { readXliff } from './read-xliff.ts'

describe('inline elements of XLIFF', () => {
  const xliff1 = (target: string) =>
    `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="common" source-language="en-US" target-language="de-DE"><body><trans-unit id="INLINE"><source/><target>${target}</target></trans-unit></body></file></xliff>`
  const xliff2 = (target: string) =>
    `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en-US" trgLang="de-DE"><file id="common"><unit id="INLINE"><originalData><data id="d1">{{name}}</data><data id="d2">&lt;b&gt;</data><data id="d3">&lt;/b&gt;</data><data id="d4">{{na<cp hex="0009"/>me}}</data></originalData><segment><source/><target>${target}</target></segment></unit></file></xliff>`

  it.each([
    [xliff1('Hallo <x id="1" equiv-text="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff1('Hallo <ph id="1">{{name}}</ph>!'), 'Hallo {{name}}!'],
    [xliff1('<g id="1" ctype="bold">Hallo</g> {{name}}'), '<b>Hallo</b> {{name}}'],
    [xliff1('<g id="1" ctype="x-html-strong">Hallo</g>'), '<strong>Hallo</strong>'],
    [xliff1('<bpt id="1">&lt;b&gt;</bpt>Hallo<ept id="1">&lt;/b&gt;</ept>'), '<b>Hallo</b>'],
    [xliff1('<mrk mtype="term">Hallo</mrk><!-- note --> {{name}}'), 'Hallo {{name}}'],
    [xliff1('<![CDATA[<b>Hallo</b>]]>'), '<b>Hallo</b>'],
    [xliff2('Hallo <ph id="1" dataRef="d1"/>!'), 'Hallo {{name}}!'],
    [xliff2('Hallo <ph id="1" equiv="{{name}}"/>!'), 'Hallo {{name}}!'],
    [xliff2('<pc id="1" dataRefStart="d2" dataRefEnd="d3">Hallo</pc>'), '<b>Hallo</b>'],
    [xliff2('<sc id="1" dataRef="d2"/>Hallo<ec startRef="1" dataRef="d3"/>'), '<b>Hallo</b>'],
    [xliff2('<mrk id="m">Hallo<cp hex="0009"/></mrk>'), 'Hallo\t'],
    [xliff2('Hallo <ph id="1" dataRef="d4"/>!'), 'Hallo {{na\tme}}!'],
  ])('become text: %#', (file, expected) => {
    const targets = readXliff(file, 'a.xlf').entries.filter(({ isSource }) => !isSource)
    expect(targets.map(({ key, value }) => [key, value])).toEqual([['INLINE', expected]])
  })

  it.each([
    xliff1('Hallo <x id="1"/>!'),
    xliff1('<g id="1">Hallo</g>'),
    xliff1('Hallo <bx id="1"/>'),
    xliff1('Hallo <ph id="1">{{name}}<sub>x</sub></ph>'),
    xliff2('Hallo <ph id="1"/>!'),
    xliff2('Hallo <ph id="1" dataRef="missing"/>!'),
    xliff2('<pc id="1">Hallo</pc>'),
    xliff2('<cp/>'),
  ])('are refused without their text, with the place: %#', (file) => {
    expect(() => readXliff(file, 'a.xlf')).toThrow(
      /^Cannot read a\.xlf: the text of the inline element <[^]*"INLINE" is not in the file\n[^]*line: 1/,
    )
  })
})

describe('the segments of a unit of XLIFF', () => {
  const targetsOf = (file: string) =>
    readXliff(file, 'a.xlf')
      .entries.filter(({ isSource }) => !isSource)
      .map(({ value, state }) => [value, state])
  const unit1 = (target: string) =>
    `<xliff version="1.2"><file original="common" source-language="en" target-language="de"><body><trans-unit id="K"><source>A. B.</source><seg-source><mrk mtype="seg" mid="1">A. </mrk><mrk mtype="seg" mid="2">B.</mrk></seg-source>${target}</trans-unit></body></file></xliff>`
  const unit2 = (...segments: readonly string[]) =>
    `<xliff version="2.0" srcLang="en" trgLang="de"><file id="common"><unit id="K">${segments.join('<ignorable><source> </source></ignorable>')}</unit></file></xliff>`
  const one = (attributes = '') =>
    `<segment><source>A.</source><target${attributes}>Eins.</target></segment>`

  it('are joined in the order that the translation gives them', () => {
    const two = '<segment><source>B.</source><target>Zwei.</target></segment>'
    expect(targetsOf(unit2(one(), two))).toEqual([['Eins. Zwei.', undefined]])
    const first = two.replace('<target>', '<target order="1">')
    expect(targetsOf(unit2(one(' order="3"'), first))).toEqual([['Zwei. Eins.', undefined]])
  })

  it.each([
    unit2(one(), '<segment><source>B.</source></segment>'),
    unit2(one(), '<segment><source>B.</source><target/></segment>'),
    unit1('<target><mrk mtype="seg" mid="1">Eins. </mrk><mrk mtype="seg" mid="2"/></target>'),
    unit1('<target><mrk mtype="seg" mid="1">Eins. </mrk></target>'),
  ])('are no translation if one of them is missing: %#', (file) => {
    expect(targetsOf(file).map(([, state]) => state)).toEqual(['untranslated'])
  })

  it('are none if no segment is translated', () => {
    const empty = '<segment><source>A.</source></segment>'
    expect(targetsOf(unit2(empty, empty))).toEqual([])
  })

  it('may be joined, or have no text in either language', () => {
    expect(targetsOf(unit1('<target>Eins. Zwei.</target>'))).toEqual([['Eins. Zwei.', undefined]])
    const none = '<segment><source/><target/></segment>'
    expect(targetsOf(unit2(one(), none))).toEqual([['Eins. ', undefined]])
  })
})

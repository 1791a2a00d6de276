/** The protocol of controls in the terminal: each takes `value` and `onChange(value)`, as `kit/ui/control.ts` has it. */
import { isTest, type SourceFile } from './source-rules.ts';

/** What a person sets a value with: an element of the browser, a part of the library, or a role. */
const SETS_A_VALUE =
  /<(input|textarea|select)\b|\b(Checkbox|RadioGroup|Select|Slider|Switch|Tabs|Toggle|ToggleGroup) as Radix\b|<Radix\.(Checkbox|Radio)\w*\b|\brole="(checkbox|combobox|radio|searchbox|slider|spinbutton|switch|textbox)"/;
/** Props of a control, inherited from the protocol or from a control that has it. */
const PROTOCOL = /\b(Form)?Control</;
const PROPS = /export interface (\w+Props)\b([^{]*)\{(.*?)\n?\}\n/gs;
const OTHER_NAMES =
  /\breadonly (active|checked|chosen|defaultValue|isChecked|isOn|onChange|onCheckedChange|onChoose|onPick|onValueChange|selected)\??:/g;

/** Sentences about parts of the kit that have props of their own for what the protocol has a name for. */
export function controlViolations(sources: readonly SourceFile[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const kit = sources
    .filter(({ path }) => /^clients\/terminal\/src\/kit\/ui\/[\w-]+\.tsx$/.test(path) && !isTest(path))
    .map(({ path, text }) => ({ path: path.replace('clients/terminal/src/kit/ui/', ''), text }));
  const found = kit.flatMap((file) => ofFile(file).map((complaint) => ({ path: file.path, complaint })));
  return [
    ...found.filter(({ path }) => reasons[path] === undefined).map(({ path, complaint }) => `${path} ${complaint}`),
    ...Object.keys(reasons)
      .filter((path) => found.every((one) => one.path !== path))
      .map((path) => `${path} has a reason to be no control, and needs none`),
  ];
}

function ofFile({ text }: SourceFile): readonly string[] {
  const isControl = SETS_A_VALUE.test(text);
  const props = [...text.matchAll(PROPS)];
  const others = props.flatMap(([, name = '', , body = '']) =>
    [...body.matchAll(OTHER_NAMES)].map(([, prop = '']) => `${name} has ${prop}`),
  );
  return [
    ...(isControl && !PROTOCOL.test(text) ? ['sets a value, and its props extend no Control of control.ts'] : []),
    ...others.map((words) => `${words}: a control takes value and onChange(value), from Control of control.ts`),
  ];
}
